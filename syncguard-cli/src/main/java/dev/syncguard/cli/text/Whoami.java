package dev.syncguard.cli.text;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** Says who this process is: host, process id and user. */
public final class Whoami {

    private static final int LONGEST = 128;

    private Whoami() {}

    /**
     * Returns the label of this process.
     *
     * @return for example {@code web-3:4711:deploy}; characters that a terminal acts on are left out
     */
    public static String text() {
        return shortened(host() + ":" + ProcessHandle.current().pid() + ":" + user());
    }

    /** In a container the user often has a number only, and the JDK calls it {@code ?}. */
    private static String user() {
        String name = System.getProperty("user.name", "?");
        try {
            return name.equals("?")
                    ? Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString()
                    : name;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return name;
        }
    }

    /** What a label may not have is left out. */
    static String shortened(String text) {
        StringBuilder plain = new StringBuilder();
        text.codePoints().filter(c -> !Printable.isActive(c)).forEach(c -> {
            if (plain.length() + Character.charCount(c) <= LONGEST) {
                plain.appendCodePoint(c);
            }
        });
        return plain.toString();
    }

    /** What Linux knows at once; elsewhere the resolver may ask the network. */
    private static String host() {
        try {
            Path known = Path.of("/proc/sys/kernel/hostname");
            return Files.isReadable(known)
                    ? Files.readString(known).strip()
                    : InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return "?";
        }
    }
}
