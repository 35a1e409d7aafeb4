package dev.syncguard.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What TLC checks: a module with its constants and promises.
 *
 * @param module the name of the module in docs/model
 * @param text the text of the configuration file
 */
record Configuration(String module, String text) {

    static final Path MODELS = Path.of("..", "docs", "model");

    /** Reads a configuration of docs/model, whose name begins with that of its module. */
    static Configuration named(String name) {
        int dash = name.indexOf('-');
        return new Configuration(dash < 0 ? name : name.substring(0, dash), read(MODELS.resolve(name + ".cfg")));
    }

    /** Returns the same with another value of a constant. */
    Configuration with(String constant, String value) {
        return replaced("  " + constant + " = .*", "  " + constant + " = " + value);
    }

    /** Returns the same with one promise to check, and no fairness unless the promise needs it. */
    Configuration checkingOnly(Mutation.Promise promise) {
        Configuration bare = replaced(
                        "SPECIFICATION .*", "SPECIFICATION " + promise.kind().specification())
                .replaced("INVARIANTS .*", "")
                .replaced("PROPERTIES .*", "");
        return new Configuration(module, bare.text + promise.kind().keyword() + " " + promise.name() + "\n");
    }

    private Configuration replaced(String line, String replacement) {
        String changed = text.replaceAll("(?m)^" + line + "$", replacement);
        if (changed.equals(text) && !text.contains(replacement)) {
            throw new IllegalArgumentException("no line like '" + line + "' in the configuration of " + module);
        }
        return new Configuration(module, changed);
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
