package dev.syncguard.cli.text;

import picocli.CommandLine.Option;

/** How a command answers. Part of every command. */
public final class Output {

    /** The name under which commands mix it in. */
    public static final String NAME = "output";

    enum Format {
        TEXT,
        JSON
    }

    enum When {
        AUTO,
        ALWAYS,
        NEVER
    }

    @Option(names = "--format", paramLabel = "FORMAT", description = "text (default) or json, for scripts")
    private Format format = Format.TEXT;

    @Option(names = "--color", paramLabel = "WHEN", description = "auto (default), always or never")
    private When color = When.AUTO;

    @Option(names = "--debug", description = "Show stack traces and warnings of the library")
    private boolean debug;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean help;

    /** Made by picocli. */
    public Output() {}

    /**
     * Returns whether scripts listen.
     *
     * @return whether JSON was asked for
     */
    public boolean isJson() {
        return format == Format.JSON;
    }

    /**
     * Returns whether to show all there is to know about a failure.
     *
     * @return whether that was asked for
     */
    public boolean isDebug() {
        return debug;
    }

    /**
     * Returns whether a stream gets colours.
     *
     * @param stream 1 for output, 2 for errors
     * @return whether it is a terminal that wants them, or they were asked for
     */
    public boolean hasColours(int stream) {
        return color == When.ALWAYS || (color == When.AUTO && Terminal.is(stream) && Terminal.wantsColours());
    }

    /**
     * Answers in the form that was asked for.
     *
     * @param text for people
     * @param json for scripts
     */
    public void answer(String text, Json json) {
        line(isJson() ? json.toString() : text);
    }

    /**
     * Writes a line to standard output.
     *
     * @param text the line
     */
    public void line(String text) {
        StandardStreams.out(text + "\n");
    }

    /**
     * Writes a line about the command itself to standard error.
     *
     * @param style its colour
     * @param text the line, which may repeat what a server or another client said
     */
    public void note(Style style, String text) {
        StandardStreams.err(style.paint("syncguard: ", hasColours(2)) + Printable.of(text) + "\n");
    }
}
