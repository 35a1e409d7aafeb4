package dev.syncguard.spring.boot;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Hands properties to a builder; what the builder refuses is reported with the name of the property. */
final class Settings<B> {

    private final String prefix;
    private B builder;

    Settings(String prefix, B builder) {
        this.prefix = prefix;
        this.builder = builder;
    }

    <T> Settings<B> set(String property, @Nullable T value, BiFunction<B, T, B> setter) {
        if (value != null) {
            builder = checked(prefix + "." + property, () -> setter.apply(builder, value));
        }
        return this;
    }

    Settings<B> flag(boolean set, UnaryOperator<B> setter) {
        if (set) {
            builder = setter.apply(builder);
        }
        return this;
    }

    B value() {
        return builder;
    }

    /** What can go wrong besides is a failure of the store, which no other value of the property would mend. */
    static <R> R checked(String property, Setting<R> setting) {
        try {
            return setting.apply();
        } catch (LockException e) {
            if (e.code() == Code.INVALID_ARGUMENT) {
                throw new InvalidSettingException(property, e);
            }
            throw e;
        }
    }

    /** What is done with a value. */
    interface Setting<R> {
        R apply();
    }
}
