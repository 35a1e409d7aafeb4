package dev.syncguard.spi.support;

import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.LockBackend;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Looks at the settings of a store once, when a backend first meets it.
 *
 * <p>A strict backend does so while it is built, and refuses a store whose settings break what a lock promises. Otherwise
 * they are warnings in the log: of a backend that connects while it is built at that time, of one that does not after its
 * first acquire.
 */
public final class StartCheck {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");

    private final Supplier<List<Finding>> settings;
    private final Consumer<Runnable> background;
    private final AtomicBoolean done = new AtomicBoolean();

    /**
     * Creates a check that has not looked yet.
     *
     * @param settings looks at the settings; may block, and throws {@link LockException} only
     */
    public StartCheck(Supplier<List<Finding>> settings) {
        this(settings, task -> StoreThreads.start("syncguard-start-check", task));
    }

    StartCheck(Supplier<List<Finding>> settings, Consumer<Runnable> background) {
        this.settings = settings;
        this.background = background;
    }

    /**
     * Looks now: for {@code build()}.
     *
     * @param strict whether a danger is refused
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if it is, or if the store fails
     */
    public void now(boolean strict) {
        done.set(true);
        List<Finding> findings = settings.get();
        for (Finding finding : findings) {
            if (strict && finding.level() == Level.DANGER) {
                throw new LockException(
                        Code.INVALID_ARGUMENT, "strict: the store breaks what a lock promises. " + text(finding));
            }
        }
        findings.stream()
                .filter(finding -> finding.level().compareTo(Level.WARN) >= 0)
                .forEach(finding -> LOGGER.log(System.Logger.Level.WARNING, "{0}", text(finding)));
    }

    /**
     * Looks now and refuses a danger: for {@code build()} of a backend that holds resources already.
     *
     * @param <B> the type of the backend
     * @param backend closed if it is refused
     * @return the same backend
     */
    public <B extends LockBackend> B strict(B backend) {
        try {
            now(true);
            return backend;
        } catch (Throwable e) {
            backend.close();
            throw e;
        }
    }

    /** Looks in the background, unless it has looked before: for the end of an acquire, which it never fails. */
    public void soon() {
        if (!done.get() && done.compareAndSet(false, true)) {
            try {
                background.accept(this::report);
            } catch (Throwable e) {
                done.set(false); // no thread to be had: a later acquire tries again
            }
        }
    }

    private void report() {
        try {
            now(false);
        } catch (LockException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "the settings of the store were not looked at: {0}", e.getMessage());
        }
    }

    private static String text(Finding finding) {
        return finding.id() + ": " + finding.message() + "; " + finding.fix();
    }
}
