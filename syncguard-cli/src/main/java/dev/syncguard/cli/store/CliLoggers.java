package dev.syncguard.cli.store;

import dev.syncguard.cli.text.Printable;
import dev.syncguard.cli.text.StandardStreams;
import java.lang.System.Logger;
import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** One line on standard error for each warning of the library, while somebody holds a lock; found by the JDK. */
public final class CliLoggers extends System.LoggerFinder {

    private static volatile boolean loud;

    /** Made by the JDK. */
    public CliLoggers() {}

    /** Shows warnings from now on. Before, the settings of the store are judged, which is the doctor's business. */
    public static void showWarnings() {
        loud = true;
    }

    @Override
    public Logger getLogger(String name, Module module) {
        return new Lines(name);
    }

    private record Lines(String name) implements Logger {

        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return loud && level.getSeverity() >= Level.WARNING.getSeverity() && name.startsWith("dev.syncguard");
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
            if (isLoggable(level) && !isLoss(message)) {
                StandardStreams.err(
                        "syncguard: " + Printable.of(message + (thrown == null ? "" : ": " + thrown)) + "\n");
            }
        }

        /** The supervisor says it in its own words, with the key. */
        private static boolean isLoss(@Nullable String message) {
            return message != null
                    && (message.startsWith("Internal: the lease expired")
                            || message.startsWith("Internal: the store no longer holds this lock"));
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String format, @Nullable Object... arguments) {
            if (isLoggable(level)) {
                boolean plain = format == null || arguments == null || arguments.length == 0;
                log(level, bundle, plain ? format : MessageFormat.format(format, arguments), (Throwable) null);
            }
        }
    }
}
