package dev.syncguard.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.SyncGuard;
import dev.syncguard.spring.boot.Contexts;
import dev.syncguard.spring.boot.LocksInMemory;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class LaterResultsTest {

    private static ConfigurableApplicationContext context;
    private static SyncGuard guard;
    private static Service service;

    @BeforeAll
    static void start() {
        context = Contexts.start(App.class);
        guard = context.getBean(SyncGuard.class);
        service = context.getBean(Service.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @Test
    @DisplayName("the lock of a stage is held until it completes, and no thread waits for it")
    void stage() {
        CompletableFuture<String> end = new CompletableFuture<>();
        CompletableFuture<String> result = service.stage(end, null);
        await().until(() -> guard.isLocked("stage"));
        assertThat(result).isNotDone();

        end.complete("done");

        assertThat(result.join()).isEqualTo("done");
        assertThat(guard.isLocked("stage")).isFalse();
    }

    @Test
    @DisplayName("a stage that fails fails as it did, and releases")
    void stageFails() {
        CompletableFuture<String> end = new CompletableFuture<>();
        CompletableFuture<String> result = service.stage(end, null);
        end.completeExceptionally(new IOException("disk"));

        assertThatThrownBy(result::join).hasCauseInstanceOf(IOException.class);
        assertThat(guard.isLocked("stage")).isFalse();
    }

    @Test
    @DisplayName("contention is in the stage: thrown, or skipped, or fallen back from")
    void stageContended() {
        Contexts.whileHeld(guard, "busy", () -> {
            assertThatThrownBy(() -> service.contended().toCompletableFuture().join())
                    .hasCauseInstanceOf(AcquisitionTimeoutException.class);
            assertThat(service.skipped().join()).isNull();
            assertThat(service.fallingBack().join()).isEqualTo("instead");
        });
        assertThat(service.skipped().join()).isEqualTo("ran");
        assertThat(service.fallingBack().join()).isEqualTo("ran");
    }

    @Test
    @DisplayName("a key that cannot be used is in the stage, too")
    void stageBadKey() {
        assertThatThrownBy(service.badKey(null)::join).hasMessageContaining("Service.badKey(String)");
    }

    @Test
    @DisplayName("an aspect inside of the lock finds its invocation on the other thread")
    void exposedInvocation() {
        assertThat(service.exposed().join()).isEqualTo("exposed");
    }

    @Test
    @DisplayName("an @Async method takes the lock on its own thread and holds it until its future is done")
    void async() throws Exception {
        CompletableFuture<String> end = new CompletableFuture<>();
        Future<String> result = service.async(end);
        await().until(() -> guard.isLocked("async"));
        end.complete("done");

        assertThat(result.get()).isEqualTo("done");
        await().until(() -> !guard.isLocked("async"));
        CompletableFuture<String> failed = CompletableFuture.failedFuture(new IOException("disk"));
        assertThatThrownBy(() -> service.async(failed).get())
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseInstanceOf(IOException.class);
    }

    @Test
    @DisplayName("a Mono takes the lock when it is subscribed to, each time anew")
    void mono() {
        Mono<Boolean> mono = service.mono();
        assertThat(guard.isLocked("mono")).isFalse();

        long before = Contexts.fence(guard, "mono");
        assertThat(mono.block()).isTrue();
        assertThat(mono.block()).isTrue();
        assertThat(guard.isLocked("mono")).isFalse();
        assertThat(Contexts.fence(guard, "mono")).isEqualTo(before + 3);
    }

    @Test
    @DisplayName("the lease is in the context of the subscriber")
    void monoContext() {
        assertThat(service.monoContext().block()).isTrue();
    }

    @Test
    @DisplayName("a Flux holds the lock until it terminates or is cancelled")
    void flux() {
        Sinks.Many<Integer> items = Sinks.many().unicast().onBackpressureBuffer();
        CompletableFuture<List<Integer>> all =
                service.flux(items.asFlux()).collectList().toFuture();
        await().until(() -> guard.isLocked("flux"));
        items.emitNext(1, Sinks.EmitFailureHandler.FAIL_FAST);
        items.emitNext(2, Sinks.EmitFailureHandler.FAIL_FAST);
        assertThat(guard.isLocked("flux")).isTrue();
        items.emitComplete(Sinks.EmitFailureHandler.FAIL_FAST);

        assertThat(all.join()).containsExactly(1, 2);
        assertThat(guard.isLocked("flux")).isFalse();

        Disposable subscription = service.flux(Flux.never()).subscribe();
        await().until(() -> guard.isLocked("flux"));
        subscription.dispose();
        await().until(() -> !guard.isLocked("flux"));
    }

    @Test
    @DisplayName("a publisher that fails releases and fails as it did")
    void reactiveFailure() {
        assertThatThrownBy(() -> service.flux(Flux.error(new IllegalStateException("broken")))
                        .blockLast())
                .hasMessage("broken");
        assertThat(guard.isLocked("flux")).isFalse();
    }

    @Test
    @DisplayName("contention of a publisher is an error, nothing, or the fallback")
    void reactiveContention() {
        Contexts.whileHeld(guard, "busy", () -> {
            assertThatThrownBy(() -> service.monoContended().block()).isInstanceOf(AcquisitionTimeoutException.class);
            assertThat(service.monoSkipped().blockOptional()).isEmpty();
            assertThat(service.fluxFallingBack().collectList().block()).containsExactly("instead");
        });
        assertThat(service.monoSkipped().block()).isEqualTo("ran");
    }

    @Test
    @DisplayName("cancelling a subscriber that waits for the lock ends the wait")
    void reactiveCancel() {
        Contexts.whileHeld(guard, "mono", () -> {
            Disposable waiting = service.mono().subscribe();
            await().until(() -> guard.waiters() > 0);
            waiting.dispose();
            await().until(() -> guard.waiters() == 0);
        });
        assertThat(guard.isLocked("mono")).isFalse();
    }

    @Test
    @DisplayName("a lock that is lost before the end is an error of the publisher")
    void reactiveLoss() {
        assertThatThrownBy(() -> service.losing().block()).isInstanceOf(LeaseLostException.class);
    }

    static class Service {

        private final SyncGuard guard;

        Service(SyncGuard guard) {
            this.guard = guard;
        }

        @Locked(key = "'stage'")
        public CompletableFuture<String> stage(CompletableFuture<String> end, Lease lease) {
            return lease.isValid() ? end : CompletableFuture.completedFuture("not locked");
        }

        @Locked(key = "'busy'", waitAtMost = "0")
        public CompletionStage<String> contended() {
            return CompletableFuture.completedFuture("ran");
        }

        @Locked(key = "'busy'", waitAtMost = "0", onContention = OnContention.SKIP)
        public CompletableFuture<String> skipped() {
            return CompletableFuture.completedFuture("ran");
        }

        @Locked(key = "'busy'", waitAtMost = "0", fallback = "instead")
        public CompletableFuture<String> fallingBack() {
            return CompletableFuture.completedFuture("ran");
        }

        CompletableFuture<String> instead() {
            return CompletableFuture.completedFuture("instead");
        }

        @Locked(key = "#key")
        public CompletableFuture<String> badKey(String key) {
            return CompletableFuture.completedFuture(key);
        }

        @Locked(key = "'exposed'")
        public CompletableFuture<String> exposed() {
            return CompletableFuture.completedFuture(
                    ExposeInvocationInterceptor.currentInvocation().getMethod().getName());
        }

        @Async
        @Locked(key = "'async'")
        public CompletableFuture<String> async(CompletableFuture<String> end) {
            return end;
        }

        @Locked(key = "'mono'")
        public Mono<Boolean> mono() {
            return Mono.fromSupplier(() -> guard.isLocked("mono"));
        }

        @Locked(key = "'context'")
        public Mono<Boolean> monoContext() {
            return Mono.deferContextual(view -> Mono.just(view.get(Lease.class).isValid()));
        }

        @Locked(key = "'flux'")
        public Flux<Integer> flux(Flux<Integer> items) {
            return items;
        }

        @Locked(key = "'busy'", waitAtMost = "0")
        public Mono<String> monoContended() {
            return Mono.just("ran");
        }

        @Locked(key = "'busy'", waitAtMost = "0", onContention = OnContention.SKIP)
        public Mono<String> monoSkipped() {
            return Mono.just("ran");
        }

        @Locked(key = "'busy'", waitAtMost = "0", fallback = "fluxInstead")
        public Flux<String> fluxFallingBack() {
            return Flux.just("ran");
        }

        Flux<String> fluxInstead() {
            return Flux.just("instead");
        }

        @Locked(key = "'losing'")
        public Mono<String> losing() {
            Contexts.expire(CurrentLease.get());
            return Mono.just("done");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    @LocksInMemory
    static class App {

        @Bean
        Service service(SyncGuard guard) {
            return new Service(guard);
        }
    }
}
