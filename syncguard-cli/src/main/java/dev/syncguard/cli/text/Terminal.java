package dev.syncguard.cli.text;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** What is known of the terminal. The launcher tells which streams are one: the JDK cannot. */
public final class Terminal {

    private static final String STREAMS = System.getProperty("syncguard.terminal", "");

    private Terminal() {}

    /**
     * Returns whether a stream is a terminal.
     *
     * @param stream 0 for input, 1 for output, 2 for errors
     * @return whether somebody sits there
     */
    public static boolean is(int stream) {
        return STREAMS.indexOf('0' + stream) >= 0;
    }

    /**
     * Returns whether a terminal wants colours, by the usual variables.
     *
     * @return whether neither {@code NO_COLOR} nor {@code TERM=dumb} is set
     */
    public static boolean wantsColours() {
        String no = System.getenv("NO_COLOR");
        return (no == null || no.isEmpty()) && !"dumb".equals(System.getenv("TERM"));
    }

    /**
     * Returns the size of the terminal now.
     *
     * @return rows and columns; 24 and 80 if nobody knows
     */
    public static int[] size() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String[] words = new String(
                            stty.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII)
                    .strip()
                    .split(" ", -1);
            if (stty.waitFor(1, TimeUnit.SECONDS) && stty.exitValue() == 0 && words.length == 2) {
                int rows = Integer.parseInt(words[0]);
                int columns = Integer.parseInt(words[1]);
                return new int[] {rows > 0 ? rows : 24, columns > 0 ? columns : 80};
            }
        } catch (IOException | NumberFormatException e) {
            return new int[] {24, 80};
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new int[] {24, 80};
    }
}
