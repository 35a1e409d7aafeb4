package dev.syncguard.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.spring.aop.LockedMethodException;
import dev.syncguard.spring.boot.Contexts;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.springframework.scheduling.annotation.Scheduled;

class StartChecksTest {

    static Stream<Arguments> beans() {
        return Stream.of(
                Arguments.of(PrivateMethod.class, "@Locked on PrivateMethod.run(): it is private"),
                Arguments.of(FinalMethod.class, "@Locked on FinalMethod.run(): it is final"),
                Arguments.of(StaticMethod.class, "@Locked on StaticMethod.run(): it is static"),
                Arguments.of(FinalClass.class, "@Locked on FinalClass.run(): its class is final"),
                Arguments.of(UnknownVariable.class, "#it is no parameter of the method; there are #id"),
                Arguments.of(NoExpression.class, "@Locked on NoExpression.run(): the key \"'a\" is no expression"),
                Arguments.of(BadTtl.class, "ttl = \"soon\" is no duration; write 10s"),
                Arguments.of(ZeroTtl.class, "@Locked on ZeroTtl.run(): InvalidArgument: a ttl is 1 ms to 365 days"),
                Arguments.of(NoFallback.class, "there is no method other(int) in NoFallback to fall back to"),
                Arguments.of(WrongFallback.class, "the fallback other returns String instead of int"),
                Arguments.of(FallbackAndSkip.class, "it has a fallback and onContention = SKIP; choose one"),
                Arguments.of(SkippedPrimitive.class, "it returns int, which has no value for a skipped call"),
                Arguments.of(FutureResult.class, "it returns Future, whose end cannot be seen"),
                Arguments.of(PublisherResult.class, "it returns Publisher, whose end cannot be seen"),
                Arguments.of(Both.class, "it has @ScheduledLock, too; choose one of them"),
                Arguments.of(
                        JobWithoutTime.class, "@ScheduledLock on JobWithoutTime.run(): it does not say for how long"),
                Arguments.of(JobThatOverlaps.class, "lockAtLeastFor is longer than lockAtMostFor"),
                Arguments.of(UnknownPlaceholder.class, "no.such"));
    }

    @ParameterizedTest
    @MethodSource("beans")
    @DisplayName("a method that cannot be locked stops the start, and is named")
    <T> void refused(Class<T> type, String reason) {
        Contexts.inMemory()
                .withBean(type)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(reason)
                        .hasStackTraceContaining("run("));
    }

    @Test
    @DisplayName("the failure analysis is the message alone")
    void analysis() {
        Contexts.inMemory()
                .withBean(FinalMethod.class)
                .run(context -> assertThat(context).getFailure().rootCause().isInstanceOf(LockedMethodException.class));
    }

    @Test
    @DisplayName("behind interfaces alone, a method that is in none is refused")
    void interfaces() {
        Contexts.inMemory()
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean(BehindInterface.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("declare it in one, or set spring.aop.proxy-target-class=true"));
        Contexts.inMemory()
                .withBean(BehindInterface.class)
                .run(context -> assertThat(
                                context.getBean(BehindInterface.class).other())
                        .isTrue());
    }

    @Test
    @DisplayName("behind an interface that declares it, a method is locked")
    void declared() {
        Contexts.inMemory()
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean(Declared.class)
                .run(context ->
                        assertThat(context.getBean(Supplier.class).get()).isEqualTo(true));
    }

    @Test
    @DisplayName("a bean without locks is neither proxied nor checked")
    void others() {
        Contexts.inMemory()
                .withBean(Duration.class, () -> Duration.ofDays(1))
                .withBean(Plain.class)
                .run(context ->
                        assertThat(context.getBean(Plain.class).getClass()).isEqualTo(Plain.class));
    }

    static class PrivateMethod {
        @SuppressWarnings("UnusedMethod") // no call of it could be locked, which is the point
        @Locked(key = "'a'")
        private void run() {}
    }

    static class FinalMethod {
        @Locked(key = "'a'")
        public final void run() {}
    }

    static class StaticMethod {
        @Locked(key = "'a'")
        public static void run() {}
    }

    static final class FinalClass {
        @Locked(key = "'a'")
        public void run() {}
    }

    static class UnknownVariable {
        @Locked(key = "'invoice:' + #it")
        public void run(long id) {}
    }

    static class NoExpression {
        @Locked(key = "'a")
        public void run() {}
    }

    static class BadTtl {
        @Locked(key = "'a'", ttl = "soon")
        public void run() {}
    }

    static class ZeroTtl {
        @Locked(key = "'a'", ttl = "0s")
        public void run() {}
    }

    static class NoFallback {
        @Locked(key = "'a'", fallback = "other")
        public void run(int id) {}
    }

    static class WrongFallback {
        @Locked(key = "'a'", fallback = "other")
        public int run() {
            return 1;
        }

        String other() {
            return "";
        }
    }

    static class FallbackAndSkip {
        @Locked(key = "'a'", fallback = "run", onContention = OnContention.SKIP)
        public void run() {}
    }

    static class SkippedPrimitive {
        @Locked(key = "'a'", onContention = OnContention.SKIP)
        public int run() {
            return 1;
        }
    }

    static class FutureResult {
        @Locked(key = "'a'")
        public Future<String> run() {
            throw new AssertionError();
        }
    }

    static class PublisherResult {
        @Locked(key = "'a'")
        public Publisher<String> run() {
            throw new AssertionError();
        }
    }

    static class Both {
        @Locked(key = "'a'")
        @ScheduledLock(name = "a", lockAtMostFor = "1m")
        public void run() {}
    }

    static class JobWithoutTime {
        @Scheduled(fixedRate = 1000)
        @ScheduledLock(name = "a")
        public void run() {}
    }

    static class JobThatOverlaps {
        @ScheduledLock(name = "a", lockAtMostFor = "1m", lockAtLeastFor = "2m")
        public void run() {}
    }

    static class UnknownPlaceholder {
        @Locked(key = "'a'", ttl = "${no.such}")
        public void run() {}
    }

    static class BehindInterface implements Runnable {
        @Override
        public void run() {}

        @Locked(key = "'a'")
        public boolean other() {
            return CurrentLease.find().isPresent();
        }
    }

    static class Declared implements Supplier<Boolean> {
        @Override
        @Locked(key = "'a'")
        public Boolean get() {
            return CurrentLease.find().isPresent();
        }
    }

    static class Plain {
        public void run() {}
    }
}
