package dev.syncguard;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What the library logs while a test looks. */
public final class LogCapture extends Handler implements AutoCloseable {

    private final Logger logger = Logger.getLogger("dev.syncguard");
    private final List<String> messages = new CopyOnWriteArrayList<>();

    private LogCapture() {}

    public static LogCapture start() {
        LogCapture capture = new LogCapture();
        capture.logger.addHandler(capture);
        capture.logger.setUseParentHandlers(false);
        return capture;
    }

    public List<String> messages() {
        return messages;
    }

    @Override
    public void publish(LogRecord record) {
        String thrown = record.getThrown() == null ? "" : " " + record.getThrown();
        messages.add(new SimpleFormatter().formatMessage(record) + thrown);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
