package dev.syncguard.cli.text;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;

/** Reads one JSON string, as it stands on a line. */
public final class JsonString {

    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    private final String line;
    private int at;

    private JsonString(String line) {
        this.line = line.strip();
    }

    /**
     * Reads a line.
     *
     * @param line a JSON string and nothing else but blanks
     * @return the text that it stands for
     * @throws LockException with {@link Code#INVALID_ARGUMENT} for anything else
     */
    public static String parse(String line) {
        return new JsonString(line).read();
    }

    private String read() {
        int end = line.length() - 1;
        if (end < 1 || line.charAt(0) != '"' || line.charAt(end) != '"') {
            throw malformed();
        }
        StringBuilder text = new StringBuilder();
        for (at = 1; at < end; at++) {
            char c = line.charAt(at);
            if (c == '"' || c < 0x20) {
                throw malformed();
            }
            text.append(c == '\\' ? escape(end) : c);
        }
        return text.toString();
    }

    private char escape(int end) {
        at++;
        if (at >= end) {
            throw malformed();
        }
        char c = line.charAt(at);
        if (c != 'u') {
            int known = ESCAPES.indexOf(c);
            if (known < 0) {
                throw malformed();
            }
            return ESCAPED.charAt(known);
        }
        int code = 0;
        for (int i = 0; i < 4; i++) {
            at++;
            int digit = at < end ? Character.digit(line.charAt(at), 16) : -1;
            if (digit < 0 || line.charAt(at) > 'f') {
                throw malformed();
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private static LockException malformed() {
        return new LockException(Code.INVALID_ARGUMENT, "a line is not one JSON string, such as \"invoice:42\"");
    }
}
