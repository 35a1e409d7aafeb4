package dev.syncguard.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.FenceMode;
import dev.syncguard.LockException;
import dev.syncguard.firestore.FirestoreLockBackend;
import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.redis.RedisLockBackend;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.sqlite.SqliteLockBackend;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A setting that several stores have is the same on each of them: its name, its range, and when it is checked. */
@DisplayName("the settings of all stores")
class SameSettingsTest {

    static List<Object> builders() {
        return List.of(
                RedisLockBackend.builder("redis://localhost"),
                PostgresLockBackend.builder(unused(DataSource.class)),
                FirestoreLockBackend.builder(unused(Firestore.class)),
                SqliteLockBackend.builder(Path.of("never-opened.db")));
    }

    /** Stands where no store is reached yet. */
    private static <T> T unused(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            throw new UnsupportedOperationException(method.getName());
        }));
    }

    private static Object set(Object builder, String name, Class<?> type, @Nullable Object value) throws Throwable {
        try {
            return builder.getClass().getMethod(name, type).invoke(builder, value);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @ParameterizedTest
    @MethodSource("builders")
    @DisplayName("have the same names and types, and give the builder back")
    void sameNames(Object builder) throws Throwable {
        assertThat(set(builder, "commandTimeout", Duration.class, Duration.ofMillis(10)))
                .isSameAs(builder);
        assertThat(set(builder, "commandTimeout", Duration.class, Duration.ofMinutes(10)))
                .isSameAs(builder);
        assertThat(set(builder, "fenceMode", FenceMode.class, FenceMode.TIME_FLOORED))
                .isSameAs(builder);
        assertThat(set(builder, "cleanupInIsLocked", boolean.class, true)).isSameAs(builder);
        Method strict = builder.getClass().getMethod("strict");
        assertThat(strict.invoke(builder)).isSameAs(builder);
        assertThat(LockBackend.class)
                .isAssignableFrom(builder.getClass().getMethod("build").getReturnType());
    }

    @Test
    @DisplayName("are refused when they are set, with the same words")
    void sameRefusals() {
        assertRefused("commandTimeout", Duration.class, null);
        assertRefused("commandTimeout", Duration.class, Duration.ofMillis(9));
        assertRefused("commandTimeout", Duration.class, Duration.ofMinutes(10).plusMillis(1));
        assertRefused("fenceMode", FenceMode.class, null);
    }

    private static void assertRefused(String name, Class<?> type, @Nullable Object value) {
        List<Throwable> refusals = builders().stream()
                .map(builder -> catchThrowable(() -> set(builder, name, type, value)))
                .toList();

        assertThat(refusals)
                .allSatisfy(refusal -> assertThat(refusal)
                        .isInstanceOfSatisfying(
                                LockException.class,
                                e -> assertThat(e.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT))
                        .hasMessageContaining(name));
        assertThat(refusals.stream().map(Throwable::getMessage).distinct()).hasSize(1);
    }
}
