package dev.syncguard.tck;

import java.lang.System.Logger.Level;
import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Assumptions;

/** Listens to what the library logs, where its log goes to {@code java.util.logging}. */
final class Warnings extends Handler implements AutoCloseable {

    private static final Logger LOGGER = Logger.getLogger("dev.syncguard");

    private final List<String> messages = new CopyOnWriteArrayList<>();

    private Warnings() {}

    static Warnings capture() {
        Warnings warnings = new Warnings();
        LOGGER.addHandler(warnings);
        System.getLogger("dev.syncguard").log(Level.WARNING, "the TCK listens to the log");
        boolean heard = !warnings.messages.isEmpty();
        if (!heard) {
            warnings.close();
        }
        Assumptions.assumeTrue(heard, "the log does not go to java.util.logging here");
        return warnings;
    }

    List<String> messages() {
        return messages;
    }

    @Override
    public void publish(LogRecord entry) {
        if (entry.getLevel().intValue() >= java.util.logging.Level.WARNING.intValue()) {
            Object[] parameters = entry.getParameters();
            messages.add(
                    parameters == null ? entry.getMessage() : MessageFormat.format(entry.getMessage(), parameters));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        LOGGER.removeHandler(this);
    }
}
