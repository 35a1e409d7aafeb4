package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.syncguard.LockException.Code;
import dev.syncguard.internal.SystemTimekeeper;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.Timekeeper;
import dev.syncguard.telemetry.LockEventListener;
import dev.syncguard.telemetry.TelemetryBuilder;
import dev.syncguard.telemetry.TelemetryLockBackend;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Goes through every public method of the API, so that a new one is checked without being listed. */
class NullArgumentsTest {

    private static final LockBackend BACKEND = new UnreachableBackend();
    private static final SyncGuard GUARD = SyncGuard.of(BACKEND);
    private static final Lease LEASE = SyncGuard.of(new MemoryLockBackend())
            .acquire("k", LockOptions.defaults().ttl(Duration.ofHours(1)));

    /** What is called, and for static methods whose. */
    private static final Map<Class<?>, Object> TARGETS = Map.ofEntries(
            Map.entry(SyncGuard.class, GUARD),
            Map.entry(AsyncSyncGuard.class, GUARD.async()),
            Map.entry(Lease.class, LEASE),
            Map.entry(SyncGuardBuilder.class, SyncGuard.builder(BACKEND)),
            Map.entry(LockOptions.class, LockOptions.defaults()),
            Map.entry(AbortSignal.class, AbortSignal.create()),
            Map.entry(LockSimulator.class, new LockSimulator()),
            Map.entry(KeyHash.class, "static methods only"),
            Map.entry(LockId.class, "static methods only"),
            Map.entry(LockKey.class, "static methods only"),
            Map.entry(TelemetryBuilder.class, TelemetryLockBackend.builder(new MemoryLockBackend(), event -> {})),
            Map.entry(TelemetryLockBackend.class, "static methods only"));

    /** Arguments that are as they should be. */
    private static final Map<Class<?>, Object> GOOD = Map.ofEntries(
            Map.entry(String.class, "k"),
            Map.entry(int.class, 1),
            Map.entry(boolean.class, true),
            Map.entry(Duration.class, Duration.ofSeconds(1)),
            Map.entry(LockOptions.class, LockOptions.defaults()),
            Map.entry(AbortSignal.class, AbortSignal.none()),
            Map.entry(AbortSignal[].class, new AbortSignal[0]),
            Map.entry(LockId.class, LockId.parse("A".repeat(22))),
            Map.entry(Fence.class, new Fence(1)),
            Map.entry(LockedAction.class, (LockedAction<RuntimeException>) lease -> {}),
            Map.entry(LockedFunction.class, (LockedFunction<Integer, RuntimeException>) lease -> 1),
            Map.entry(Function.class, Function.identity()),
            Map.entry(Consumer.class, (Consumer<Object>) value -> {}),
            Map.entry(Predicate.class, (Predicate<Object>) value -> true),
            Map.entry(Runnable.class, (Runnable) () -> {}),
            Map.entry(Executor.class, (Executor) Runnable::run),
            Map.entry(LockBackend.class, BACKEND),
            Map.entry(LockEventListener.class, (LockEventListener) event -> {}),
            Map.entry(KeyHash.class, KeyHash.canonical()),
            Map.entry(Timekeeper.class, new SystemTimekeeper()),
            Map.entry(Backoff.class, Backoff.FIXED),
            Map.entry(Jitter.class, Jitter.NONE),
            Map.entry(long.class, 1L),
            Map.entry(UnaryOperator.class, UnaryOperator.identity()),
            Map.entry(Operation.class, Operation.ACQUIRE),
            Map.entry(Code.class, Code.INTERNAL));

    /** One call, with null in one place. */
    record Call(Method method, int place) {

        void run() throws Throwable {
            Object[] arguments = Arrays.stream(method.getParameterTypes())
                    .map(type -> GOOD.getOrDefault(type, type))
                    .toArray();
            arguments[place] = null;
            try {
                Object result = method.invoke(TARGETS.get(method.getDeclaringClass()), arguments);
                if (result instanceof CompletionStage<?> stage) {
                    assertThat(stage.toCompletableFuture())
                            .as("checked at once")
                            .isDone();
                    stage.toCompletableFuture().join();
                }
            } catch (InvocationTargetException | CompletionException e) {
                throw e.getCause();
            }
        }

        @Override
        public String toString() {
            List<String> types = new ArrayList<>(Arrays.stream(method.getParameterTypes())
                    .map(Class::getSimpleName)
                    .toList());
            types.set(place, "null " + types.get(place));
            return method.getDeclaringClass().getSimpleName() + "." + method.getName() + types;
        }
    }

    static Stream<Named<Call>> calls() {
        return TARGETS.keySet().stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                        .filter(method ->
                                TARGETS.get(type) != "static methods only" || Modifier.isStatic(method.getModifiers()))
                        .filter(method -> !method.getName().equals("equals")))
                .flatMap(method -> IntStream.range(0, method.getParameterCount())
                        .filter(place -> isRequired(method.getParameters()[place]))
                        .mapToObj(place -> new Call(method, place)))
                .map(call -> Named.of(call.toString(), call));
    }

    private static boolean isRequired(Parameter parameter) {
        return !parameter.getType().isPrimitive()
                && !parameter.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    @Rule("INP-5")
    @DisplayName("null is refused as an invalid argument, before any I/O")
    void refused(Call call) {
        assertThat(catchThrowable(call::run))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT));
    }
}
