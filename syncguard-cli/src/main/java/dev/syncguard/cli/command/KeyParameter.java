package dev.syncguard.cli.command;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Keys and lock ids as they arrive from the command line. */
final class KeyParameter {

    private static final int LONGEST_INPUT = 1024;

    private KeyParameter() {}

    /** Reads a key. */
    static LockKey key(String argument) {
        return LockKey.of(argument);
    }

    /** Reads a lock id, from standard input if the argument is {@code -}. */
    static LockId lockId(String argument) {
        try {
            return LockId.parse(argument.equals("-") ? firstLine(System.in) : argument);
        } catch (LockException e) {
            String message =
                    String.valueOf(e.getMessage()).replaceFirst("^" + Code.INVALID_ARGUMENT.specName() + ": ", "");
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    message + "; it is what acquire prints, and 'syncguard lookup KEY --raw' shows it",
                    e);
        }
    }

    private static String firstLine(InputStream input) {
        StringBuilder line = new StringBuilder();
        try {
            int next = input.read();
            while (next >= 0 && next != '\n' && line.length() < LONGEST_INPUT) {
                line.append((char) next);
                next = input.read();
            }
        } catch (IOException e) {
            throw new LockException(Code.INVALID_ARGUMENT, "standard input cannot be read", e);
        }
        return new String(line.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8).strip();
    }
}
