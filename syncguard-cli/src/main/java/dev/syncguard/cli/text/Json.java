package dev.syncguard.cli.text;

/** Writes one JSON object; fields stand in the order in which they were added. */
public final class Json {

    private final StringBuilder text = new StringBuilder("{");

    /**
     * Adds a text.
     *
     * @param name the field
     * @param value its value
     * @return this
     */
    public Json put(String name, String value) {
        quote(name(name), value);
        return this;
    }

    /**
     * Adds a number.
     *
     * @param name the field
     * @param value its value
     * @return this
     */
    public Json put(String name, long value) {
        name(name).append(value);
        return this;
    }

    /**
     * Adds a truth value.
     *
     * @param name the field
     * @param value its value
     * @return this
     */
    public Json put(String name, boolean value) {
        name(name).append(value);
        return this;
    }

    /**
     * Adds an object.
     *
     * @param name the field
     * @param value its value
     * @return this
     */
    public Json put(String name, Json value) {
        name(name).append(value);
        return this;
    }

    /**
     * Adds a list of objects.
     *
     * @param name the field
     * @param values its elements
     * @return this
     */
    public Json put(String name, Iterable<Json> values) {
        StringBuilder target = name(name).append('[');
        String separator = "";
        for (Json value : values) {
            target.append(separator).append(value);
            separator = ",";
        }
        target.append(']');
        return this;
    }

    private StringBuilder name(String name) {
        if (text.length() > 1) {
            text.append(',');
        }
        quote(text, name);
        return text.append(':');
    }

    private static void quote(StringBuilder target, String value) {
        target.append('"');
        value.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                target.append('\\').append((char) c);
            } else if (Printable.isActive(c)) {
                for (char half : Character.toChars(c)) {
                    escape(target, half);
                }
            } else {
                target.appendCodePoint(c);
            }
        });
        target.append('"');
    }

    private static void escape(StringBuilder target, char c) {
        target.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            target.append(Character.forDigit(c >> shift & 0xf, 16));
        }
    }

    /** Returns the document, on one line. */
    @Override
    public String toString() {
        return text + "}";
    }
}
