package dev.syncguard.spring;

import dev.syncguard.LockOptions;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Holds a lock while the method of a bean runs.
 *
 * <pre>{@code
 * @Locked(key = "'invoice:' + #id", ttl = "30s", waitAtMost = "5s", autoExtend = true)
 * @Transactional
 * public void charge(long id) {
 *     invoices.save(…, CurrentLease.get().fence());
 * }
 * }</pre>
 *
 * <p>The lock is taken before a transaction of the method begins and released after its commit. If the caller has a
 * transaction already, the lock is kept until that one has ended, and a loss of the lock before its commit rolls it back.
 *
 * <p>A parameter of type {@link dev.syncguard.Lease} or {@link dev.syncguard.Fence} gets the lock; the caller passes null for
 * it. A method that returns a {@code CompletionStage}, {@code CompletableFuture}, {@code Mono} or {@code Flux} holds the lock
 * until that is complete, and blocks no thread while it waits; it runs on a thread of the guard then.
 *
 * <p>The bean is called through a proxy: a call from inside of the same object takes no lock, and {@link CurrentLease#get()}
 * then throws.
 *
 * <p>Durations are written as {@code 10s}, {@code 500ms} or {@code PT10S}, and may be placeholders. What is not set is as the
 * guard's defaults say ({@code syncguard.defaults}).
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Reflective(LockedHints.class)
@SuppressWarnings("exports") // Spring alone has to see the processor
public @interface Locked {

    /**
     * Returns the key as an expression in Spring's language: {@code 'invoice:' + #id}. It sees the parameters by their names
     * and as {@code #p0}, {@code #p1}, the bean as its root, and other beans as {@code @name}.
     *
     * @return the expression; its value is a text, a number, a UUID, an enum or a date
     */
    String key();

    /**
     * Returns how long the lock lasts unless it is extended.
     *
     * @return a duration, see {@link LockOptions#ttl(java.time.Duration)}
     */
    String ttl() default "";

    /**
     * Returns how long to wait for the lock.
     *
     * @return a duration; {@code 0} tries once
     */
    String waitAtMost() default "";

    /**
     * Returns whether the lock is extended in the background while the method runs.
     *
     * @return true to extend; false for what the guard's defaults say
     */
    boolean autoExtend() default false;

    /**
     * Returns how long the lock is extended at most.
     *
     * @return a duration, see {@link LockOptions#holdAtMost(java.time.Duration)}
     */
    String holdAtMost() default "";

    /**
     * Returns how long the lock stays locked at least.
     *
     * @return a duration, see {@link LockOptions#holdAtLeast(java.time.Duration)}
     */
    String holdAtLeast() default "";

    /**
     * Returns whether the thread of the method is interrupted when the lock is lost.
     *
     * @return true to interrupt; false for what the guard's defaults say
     */
    boolean interruptOnLoss() default false;

    /**
     * Returns what to do if the lock is not free in time. A failure of the store is always thrown.
     *
     * @return what to do
     */
    OnContention onContention() default OnContention.THROW;

    /**
     * Returns the method that is called instead if the lock is not free in time: of the same class, with the same parameters
     * except for those that get the lock.
     *
     * @return the name of a method
     */
    String fallback() default "";
}
