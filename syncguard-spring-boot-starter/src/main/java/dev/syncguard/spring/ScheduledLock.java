package dev.syncguard.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Lets a scheduled method run on one instance at a time. An instance that does not get the lock skips its run.
 *
 * <pre>{@code
 * @Scheduled(cron = "0 0 * * * *")
 * @ScheduledLock(name = "report", lockAtMostFor = "10m", lockAtLeastFor = "5m")
 * public void report() {
 *     reports.write(CurrentLease.get().fence());
 * }
 * }</pre>
 *
 * <p>The lock is not extended: {@code lockAtMostFor} must be longer than the method ever takes. If it takes longer, another
 * instance may run; this one then ends with a {@link dev.syncguard.LeaseLostException}, and the fence tells the two apart.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Reflective
public @interface ScheduledLock {

    /**
     * Returns the key of the lock. May have placeholders.
     *
     * @return the same name on all instances
     */
    String name();

    /**
     * Returns how long the lock lasts if its holder dies.
     *
     * @return a duration such as {@code 10m}; {@code syncguard.scheduled.lock-at-most-for} if empty
     */
    String lockAtMostFor() default "";

    /**
     * Returns how long the lock stays locked however soon the method ends: longer than the clocks of the instances differ.
     *
     * @return a duration such as {@code 30s}; {@code syncguard.scheduled.lock-at-least-for} if empty
     */
    String lockAtLeastFor() default "";
}
