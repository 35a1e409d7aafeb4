package dev.syncguard.sqlite;

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

    static LoggedWarnings capture() {
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
