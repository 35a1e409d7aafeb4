package dev.syncguard.spring.aop;

import dev.syncguard.LockException;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.spring.Locked;
import dev.syncguard.spring.OnContention;
import dev.syncguard.spring.ScheduledLock;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.BeanResolver;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

/** Reads the annotations of methods, once each, and says at once what is wrong with them. */
public final class LockedMethods {

    private final StringValueResolver placeholders;
    private final BeanResolver beans;
    private final ScheduledDefaults scheduled;
    private final Map<MethodClassKey, Optional<LockedMethod>> known = new ConcurrentHashMap<>();

    /**
     * Creates a reader.
     *
     * @param placeholders resolves {@code ${…}}
     * @param beans resolves {@code @name} in keys
     * @param scheduled what scheduled locks do not say themselves
     */
    public LockedMethods(StringValueResolver placeholders, BeanResolver beans, ScheduledDefaults scheduled) {
        this.placeholders = placeholders;
        this.beans = beans;
        this.scheduled = scheduled;
    }

    static boolean isAnnotated(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, Locked.class)
                || AnnotatedElementUtils.hasAnnotation(method, ScheduledLock.class);
    }

    /** Returns what the annotation of a method says; empty if it has none. */
    Optional<LockedMethod> find(Method method, Class<?> type) {
        return known.computeIfAbsent(new MethodClassKey(method, type), key -> {
            Method specific = AopUtils.getMostSpecificMethod(method, type);
            return Optional.ofNullable(read(specific));
        });
    }

    private @Nullable LockedMethod read(Method method) {
        Locked locked = AnnotatedElementUtils.findMergedAnnotation(method, Locked.class);
        ScheduledLock job = AnnotatedElementUtils.findMergedAnnotation(method, ScheduledLock.class);
        String description = (locked != null ? "@Locked on " : "@ScheduledLock on ") + describe(method);
        try {
            if (locked == null) {
                return job == null ? null : job(method, description, job);
            }
            if (job != null) {
                throw new IllegalStateException("it has @ScheduledLock, too; choose one of them");
            }
            return locked(method, description, locked);
        } catch (IllegalStateException | IllegalArgumentException | LockException e) {
            throw new LockedMethodException(description, e);
        }
    }

    static String describe(Method method) {
        StringBuilder text =
                new StringBuilder(method.getDeclaringClass().getSimpleName() + "." + method.getName() + "(");
        for (int i = 0; i < method.getParameterCount(); i++) {
            text.append(i == 0 ? "" : ", ").append(method.getParameterTypes()[i].getSimpleName());
        }
        return text.append(')').toString();
    }

    private LockedMethod locked(Method method, String description, Locked locked) {
        Draft options = new Draft()
                .set("ttl", locked.ttl(), LockOptions::ttl)
                .set("waitAtMost", locked.waitAtMost(), LockOptions::waitAtMost)
                .set("holdAtMost", locked.holdAtMost(), LockOptions::holdAtMost)
                .set("holdAtLeast", locked.holdAtLeast(), LockOptions::holdAtLeast);
        boolean autoExtend = locked.autoExtend();
        boolean interruptOnLoss = locked.interruptOnLoss();
        String fallback = locked.fallback();
        if (!fallback.isEmpty() && locked.onContention() == OnContention.SKIP) {
            throw new IllegalStateException("it has a fallback and onContention = SKIP; choose one of them");
        }
        return checked(new LockedMethod(
                method,
                description,
                KeyExpression.of(method, description, resolve(locked.key()), beans),
                defaults -> {
                    LockOptions result = options.apply(defaults);
                    result = autoExtend ? result.autoExtend() : result;
                    return interruptOnLoss ? result.interruptOnLoss() : result;
                },
                ResultShape.of(method),
                locked.onContention(),
                fallback.isEmpty() ? null : Fallbacks.find(method, fallback)));
    }

    private LockedMethod job(Method method, String description, ScheduledLock job) {
        String name = LockKey.of(resolve(job.name())).value();
        Draft options = new Draft()
                .set("lockAtMostFor", job.lockAtMostFor(), LockOptions::ttl)
                .set("lockAtLeastFor", job.lockAtLeastFor(), LockOptions::holdAtLeast);
        if (resolve(job.lockAtMostFor()).isEmpty() && scheduled.lockAtMostFor() == null) {
            throw new IllegalStateException(
                    "it does not say for how long: set lockAtMostFor, or syncguard.scheduled.lock-at-most-for");
        }
        LockOptions effective = options.apply(scheduled.apply(LockOptions.defaults()));
        if (effective.holdAtLeast().isPresent()
                && effective.holdAtLeast().get().toMillis() > effective.ttl().millis()) {
            throw new IllegalStateException("lockAtLeastFor is longer than lockAtMostFor");
        }
        return checked(new LockedMethod(
                method,
                description,
                (target, arguments) -> name,
                // Not the guard's defaults: a job that waits, or holds for ever, is none that ShedLock's users know.
                defaults -> options.apply(scheduled.apply(LockOptions.defaults().maxRetries(0))),
                ResultShape.of(method),
                OnContention.SKIP,
                null));
    }

    private static LockedMethod checked(LockedMethod locked) {
        Class<?> type = locked.method().getReturnType();
        if (locked.onContention() == OnContention.SKIP && type.isPrimitive() && type != void.class) {
            throw new IllegalStateException(
                    "it returns " + type.getName() + ", which has no value for a skipped call; return "
                            + ClassUtils.resolvePrimitiveIfNecessary(type).getSimpleName());
        }
        var unused = locked.options().apply(LockOptions.defaults()); // refuses what is out of range
        return locked;
    }

    private String resolve(String text) {
        String resolved = placeholders.resolveStringValue(text);
        return resolved == null ? "" : resolved;
    }

    /** Durations of an annotation, applied to the guard's defaults at each call. */
    private final class Draft {

        private UnaryOperator<LockOptions> change = options -> options;

        Draft set(String name, String text, BiFunction<LockOptions, Duration, LockOptions> setter) {
            String resolved = resolve(text).strip();
            if (resolved.isEmpty()) {
                return this;
            }
            Duration duration = parse(name, resolved);
            UnaryOperator<LockOptions> before = change;
            change = options -> setter.apply(before.apply(options), duration);
            return this;
        }

        LockOptions apply(LockOptions options) {
            return change.apply(options);
        }

        private static Duration parse(String name, String text) {
            try {
                return DurationStyle.detectAndParse(text);
            } catch (IllegalArgumentException e) {
                throw new IllegalStateException(
                        name + " = \"" + text + "\" is no duration; write 10s, 500ms or PT10S", e);
            }
        }
    }
}
