package dev.syncguard.cli.demo;

import dev.syncguard.cli.text.Output;
import dev.syncguard.cli.text.Style;

/** Tells the story: one line for each thing that happens. */
final class Stage {

    private final Output output;
    private final long start = System.nanoTime();

    Stage(Output output) {
        this.output = output;
    }

    void headline(String text) {
        if (!output.isJson()) {
            output.line("\n  " + Style.BOLD.paint(text, output.hasColours(1)) + "\n");
        }
    }

    void say(String who, Style style, String text) {
        if (!output.isJson()) {
            long millis = (System.nanoTime() - start) / 1_000_000;
            String time =
                    millis / 1000 + "." + String.valueOf(1000 + millis % 1000).substring(1) + " s";
            String name = who + " ".repeat(Math.max(1, 9 - who.length()));
            output.line("  " + Style.FAINT.paint(time, output.hasColours(1)) + "  " + name
                    + style.paint(text, output.hasColours(1)));
        }
    }
}
