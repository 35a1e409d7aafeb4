package dev.syncguard.firestore;

import static java.time.Duration.ofMinutes;
import static org.awaitility.Awaitility.await;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the library logs meanwhile. */
final class Warnings extends Handler {

    private static final Logger LOGGER = Logger.getLogger("dev.syncguard");

    private final List<String> messages = new CopyOnWriteArrayList<>();

    /** Waits until no other test's backend looks at its settings in the background: what it finds is not for this one. */
    static Warnings capture() {
        // The check of a silent store waits for its command timeout, which is 10 s by default.
        await().atMost(ofMinutes(1))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("syncguard-start-check")));
        Warnings warnings = new Warnings();
        LOGGER.addHandler(warnings);
        return warnings;
    }

    List<String> containing(String text) {
        return messages.stream().filter(message -> message.contains(text)).toList();
    }

    @Override
    public void publish(LogRecord record) {
        messages.add(MessageFormat.format(record.getMessage(), record.getParameters()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        LOGGER.removeHandler(this);
    }
}
