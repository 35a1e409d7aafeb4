package dev.syncguard.cli.text;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Writes UTF-8 whatever the locale, and unlike {@code System.out} tells when nobody reads any more. */
public final class StandardStreams {

    private static final OutputStream OUT = new FileOutputStream(FileDescriptor.out);
    private static final OutputStream ERR = new FileOutputStream(FileDescriptor.err);

    private StandardStreams() {}

    /**
     * Writes a text to standard output.
     *
     * @param text the text
     * @throws UncheckedIOException if it cannot be written; see {@link #isBrokenPipe}
     */
    public static void out(String text) {
        write(OUT, text);
    }

    /**
     * Writes a text to standard error; if that fails there is nobody left to tell.
     *
     * @param text the text
     */
    public static void err(String text) {
        try {
            write(ERR, text);
        } catch (UncheckedIOException e) {
            return;
        }
    }

    private static void write(OutputStream target, String text) {
        try {
            target.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("the output cannot be written: " + e.getMessage(), e);
        }
    }

    /**
     * Returns whether a write failed because the reader has gone, as {@code head} does.
     *
     * @param failure what {@link #out} threw
     * @return whether it is that and not, say, a full disk
     */
    public static boolean isBrokenPipe(UncheckedIOException failure) {
        return String.valueOf(failure.getMessage()).contains("Broken pipe");
    }
}
