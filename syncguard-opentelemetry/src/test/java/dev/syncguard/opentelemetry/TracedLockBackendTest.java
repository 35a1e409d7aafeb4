package dev.syncguard.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.syncguard.AbortSignal;
import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.Contended;
import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.memory.MemoryLockBackend;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TracedLockBackendTest {

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final OpenTelemetrySdk openTelemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(spans))
                    .build())
            .build();
    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard =
            simulator.newGuard(backend -> TracedLockBackend.of(backend, openTelemetry), settings -> settings);

    @AfterEach
    void close() {
        guard.close();
    }

    private List<SpanData> spans(String name) {
        return spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    private SpanData acquire() {
        return spans("syncguard acquire").get(0);
    }

    private SpanData hold() {
        return spans("syncguard hold").get(0);
    }

    private static String string(SpanData span, String attribute) {
        return span.getAttributes().get(AttributeKey.stringKey(attribute));
    }

    private static String outcome(SpanData span) {
        return string(span, "syncguard.outcome");
    }

    @Test
    @DisplayName(
            "acquire and hold are children of the caller's span, with hash and fence; the hold links to its acquire")
    void granted() {
        Span caller = openTelemetry.getTracer("test").spanBuilder("caller").startSpan();
        Context.root().with(caller).wrap(() -> guard.acquire("secret").close()).run();
        caller.end();

        for (SpanData span : List.of(acquire(), hold())) {
            assertThat(span.getParentSpanId()).isEqualTo(caller.getSpanContext().getSpanId());
            assertThat(string(span, "syncguard.key.hash"))
                    .isEqualTo(LockKey.of("secret").hash());
            assertThat(string(span, "syncguard.fence")).isEqualTo("000000000000001");
            assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        }
        assertThat(outcome(acquire())).isEqualTo("granted");
        assertThat(outcome(hold())).isEqualTo("released");
        assertThat(hold().getLinks())
                .extracting(LinkData::getSpanContext)
                .containsExactly(acquire().getSpanContext());
        assertThat(hold().getAttributes().get(AttributeKey.doubleKey("syncguard.lease.margin")))
                .isGreaterThan(0.9);
        assertThat(spans.getFinishedSpanItems().toString()).doesNotContain("secret");
    }

    @Test
    @DisplayName(
            "an acquire that ends without the lock for contention is no error, and links to the holder of this process")
    void contended() {
        Lease held = guard.acquire("k", LockOptions.defaults().autoExtend());
        assertThatExceptionOfType(AcquisitionTimeoutException.class)
                .isThrownBy(() -> guard.acquire("k", LockOptions.defaults().waitAtMost(Duration.ofSeconds(1))));
        assertThat(guard.tryAcquire("k")).isInstanceOf(Contended.class);
        held.close();

        assertThat(spans("syncguard acquire").subList(1, 3)).allSatisfy(waiter -> {
            assertThat(outcome(waiter)).isEqualTo("contended");
            assertThat(waiter.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
            assertThat(waiter.getLinks()).extracting(LinkData::getSpanContext).containsExactly(hold().getSpanContext());
        });
    }

    @Test
    @DisplayName("an acquire that waited says so, and links to whom it waited for; a later one does not")
    void waited() {
        try (SyncGuard real = SyncGuard.of(TracedLockBackend.of(new MemoryLockBackend(), openTelemetry))) {
            Lease first = real.acquire("k");
            CompletableFuture<Lease> second = real.async().acquire("k").toCompletableFuture();
            await().until(() -> real.waiters() == 1);
            first.close();
            second.join().close();
            real.acquire("k").close();
        }
        List<SpanData> acquires = spans("syncguard acquire");
        AttributeKey<Boolean> waited = AttributeKey.booleanKey("syncguard.waited");
        assertThat(acquires)
                .extracting(span -> span.getAttributes().get(waited))
                .containsExactly(null, true, null);
        assertThat(acquires.get(1).getLinks())
                .extracting(LinkData::getSpanContext)
                .containsExactly(hold().getSpanContext());
        assertThat(acquires.get(2).getLinks()).isEmpty();
    }

    @Test
    @DisplayName("a store that fails is an error with its code as error.type")
    void failed() {
        simulator.failNext(Operation.ACQUIRE, Code.SERVICE_UNAVAILABLE);
        assertThatExceptionOfType(LockException.class).isThrownBy(() -> guard.acquire("secret"));

        assertThat(outcome(acquire())).isEqualTo("failed");
        assertThat(string(acquire(), "error.type")).isEqualTo("ServiceUnavailable");
        assertThat(acquire().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(acquire().getStatus().getDescription()).isNotEmpty().doesNotContain("secret");
    }

    @Test
    @DisplayName("a cancelled acquire ends its span")
    void cancelled() {
        AbortSignal signal = AbortSignal.create();
        signal.abort();
        assertThatExceptionOfType(LockException.class).isThrownBy(() -> guard.acquire("k", guard.options(), signal));
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(LockException.class).isThrownBy(() -> guard.acquire("k"));
        assertThat(Thread.interrupted()).isTrue();

        assertThat(spans("syncguard acquire"))
                .allSatisfy(span -> assertThat(string(span, "error.type")).isEqualTo("Aborted"));
        assertThat(spans("syncguard hold")).isEmpty();
    }

    @Test
    @DisplayName(
            "a lost lease ends its hold as an error, also if it is never released; renewals that failed are events")
    void lost() {
        guard.acquire("k", LockOptions.defaults().ttl(Duration.ofSeconds(30)).autoExtend());
        simulator.outage(Duration.ofMinutes(5));
        simulator.advance(Duration.ofMinutes(5));

        assertThat(outcome(hold())).isEqualTo("lost");
        assertThat(hold().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(hold().getEvents())
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.getName()).isEqualTo("syncguard renewal failed"));
    }

    @Test
    @DisplayName("a release that fails ends the hold once")
    void releaseFails() {
        Lease lease = guard.acquire("k");
        simulator.outage(Duration.ofSeconds(10));
        assertThatExceptionOfType(LockException.class).isThrownBy(lease::release);
        simulator.advance(Duration.ofMinutes(1));

        assertThat(spans("syncguard hold")).hasSize(1);
        assertThat(outcome(hold())).isEqualTo("release-failed");
        assertThat(string(hold(), "error.type")).isEqualTo("ServiceUnavailable");
    }

    @Test
    @DisplayName("an Error of a body is the body's: the hold is released")
    void bodyThrows() {
        assertThatExceptionOfType(StackOverflowError.class)
                .isThrownBy(() -> guard.run("k", lease -> {
                    throw new StackOverflowError();
                }));

        assertThat(outcome(hold())).isEqualTo("released");
    }

    @Test
    @DisplayName("without an SDK nothing is recorded and everything works")
    void noop() {
        try (SyncGuard untraced = SyncGuard.of(TracedLockBackend.of(new MemoryLockBackend(), OpenTelemetry.noop()))) {
            assertThat(untraced.<Long, RuntimeException>call(
                            "k", lease -> lease.fence().value()))
                    .isEqualTo(1);
        }
    }

    @Test
    @DisplayName("the code of the README runs")
    void readme() {
        MemoryLockBackend backend = new MemoryLockBackend();
        SyncGuard guard = SyncGuard.of(TracedLockBackend.of(backend, openTelemetry));
        guard.run("k", lease -> {});
        guard.close();
        assertThat(spans("syncguard hold")).hasSize(1);
    }

    @Test
    @DisplayName("a run with another OpenTelemetry really has it")
    void version() {
        assertThat(Span.class.getProtectionDomain().getCodeSource().getLocation())
                .asString()
                .contains(System.getProperty("opentelemetry.expected", ""));
    }
}
