package dev.syncguard.sqlite;

import static org.awaitility.Awaitility.await;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The warnings in the log while it is open. */
final class LoggedWarnings extends Handler implements AutoCloseable {

    private static final Logger LOGGER = Logger.getLogger("dev.syncguard");

    private final List<String> messages = new CopyOnWriteArrayList<>();

    private LoggedWarnings() {}

    /** Waits until no other test's backend looks at its settings in the background: what it finds is not for this one. */
    static LoggedWarnings capture() {
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("syncguard-start-check")));
        LoggedWarnings warnings = new LoggedWarnings();
        LOGGER.addHandler(warnings);
        return warnings;
    }

    List<String> containing(String text) {
        return messages.stream().filter(message -> message.contains(text)).toList();
    }

    @Override
    public void publish(LogRecord entry) {
        if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
            Object[] values = entry.getParameters();
            messages.add(values == null ? entry.getMessage() : MessageFormat.format(entry.getMessage(), values));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        LOGGER.removeHandler(this);
    }
}
