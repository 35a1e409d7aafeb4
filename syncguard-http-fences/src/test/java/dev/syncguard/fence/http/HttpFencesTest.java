package dev.syncguard.fence.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.memory.LockSimulator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client and a server that speak over a real connection. */
class HttpFencesTest {

    private static final String ACCOUNT = "account:7";

    private final LockSimulator simulator = new LockSimulator();
    private final List<String> written = new CopyOnWriteArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;
    private URI uri;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/accounts/7");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** The server of the guide. */
    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Optional<FenceProblem> refusal = FenceCheck.run(
                exchange.getRequestHeaders().get(FencedRequests.HEADER),
                fence -> simulator.fenceGuard().advance(ACCOUNT, fence, () -> written.add(body)));
        if (refusal.isPresent()) {
            FenceProblem problem = refusal.get();
            byte[] json = problem.json().getBytes(StandardCharsets.US_ASCII);
            problem.header().ifPresent(fence -> exchange.getResponseHeaders().set(FencedRequests.HEADER, fence));
            exchange.getResponseHeaders().set("Content-Type", FenceProblem.MEDIA_TYPE);
            exchange.sendResponseHeaders(problem.status(), json.length);
            exchange.getResponseBody().write(json);
        } else {
            exchange.sendResponseHeaders(204, -1);
        }
        exchange.close();
    }

    private HttpResponse<String> put(String text, String... fences) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).PUT(BodyPublishers.ofString(text));
        for (String fence : fences) {
            request.header(FencedRequests.HEADER, fence);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private void put(String text, Lease lease) throws Exception {
        HttpRequest request = FencedRequests.with(
                        lease.fence(), HttpRequest.newBuilder(uri).PUT(BodyPublishers.ofString(text)))
                .build();
        assertThat(FencedRequests.check(ACCOUNT, client.send(request, BodyHandlers.ofString()))
                        .statusCode())
                .isEqualTo(204);
    }

    @Test
    @DisplayName(
            "a holder that was paused past its lease gets a StaleFenceException from the other side of the network")
    void staleHolder() throws Exception {
        SyncGuard here = simulator.newGuard();
        SyncGuard there = simulator.newGuard();
        Lease stale = here.acquire(ACCOUNT, LockOptions.defaults());
        put("first", stale);
        simulator.pauseHolder(ACCOUNT, Duration.ofMinutes(1));
        Lease current = there.acquire(ACCOUNT, LockOptions.defaults());
        put("current", current);
        put("again", current);

        StaleFenceException refusal = catchThrowableOfType(StaleFenceException.class, () -> put("late", stale));

        assertThat(refusal.fence()).isEqualTo(stale.fence());
        assertThat(refusal.highest()).isEqualTo(current.fence());
        assertThat(written).containsExactly("first", "current", "again");
    }

    @Test
    @DisplayName("a refusal is a problem document with both fences")
    void problemDocument() throws Exception {
        simulator.fenceGuard().advance(ACCOUNT, new Fence(2));

        HttpResponse<String> response = put("late", "000000000000001");

        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(response.body())
                .isEqualTo("{\"type\":\"urn:syncguard:problem:stale-fence\",\"title\":\"The fence is stale\","
                        + "\"status\":409,\"detail\":\"A holder with a newer fence was here before. Acquire the lock again"
                        + " and repeat the work.\",\"fence\":\"000000000000001\",\"highest\":\"000000000000002\"}");
        assertThat(written).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "0000000000000001",
                "000000000000000",
                "900000000000001",
                "00000000000000x",
                " ",
                "+00000000000001"
            })
    @DisplayName("a malformed fence is a 400, and nothing is written")
    void malformed(String fence) throws Exception {
        assertThat(put("x", fence).statusCode()).isEqualTo(400);
        assertThat(written).isEmpty();
    }

    @Test
    @DisplayName("two fences are a 400, none is a 428, and nothing is written")
    void countOfFences() throws Exception {
        assertThat(put("x", "000000000000001", "000000000000002").statusCode()).isEqualTo(400);
        assertThat(put("x", new String[0]).statusCode()).isEqualTo(428);
        assertThat(written).isEmpty();
    }

    @Test
    @DisplayName("a 409 of another kind is left to the caller")
    void otherConflict() throws Exception {
        server.removeContext("/");
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().set(FencedRequests.HEADER, "nonsense");
            exchange.sendResponseHeaders(409, -1);
            exchange.close();
        });

        assertThat(FencedRequests.check(ACCOUNT, put("x", "000000000000001")).statusCode())
                .isEqualTo(409);
    }

    @Test
    @DisplayName("a 409 of another kind that sends the request's own fence back is no refusal of it")
    void echoedFence() throws Exception {
        server.removeContext("/");
        server.createContext("/", exchange -> {
            String sent = exchange.getRequestHeaders().getFirst(FencedRequests.HEADER);
            exchange.getResponseHeaders().set(FencedRequests.HEADER, sent);
            exchange.sendResponseHeaders(409, -1);
            exchange.close();
        });

        assertThat(FencedRequests.check(ACCOUNT, put("x", "000000000000001")).statusCode())
                .isEqualTo(409);
    }

    @Test
    @DisplayName("a stale fence is refused also if the work has wrapped the exception, and no other failure is")
    void wrapped() throws Exception {
        StaleFenceException stale = new StaleFenceException(LockKey.of(ACCOUNT), new Fence(1), new Fence(2));
        List<String> headers = List.of("000000000000001");

        assertThat(FenceCheck.run(headers, fence -> {
                    throw new ExecutionException(stale); // as Firestore's transactions do
                }))
                .hasValueSatisfying(problem -> assertThat(problem.header()).contains("000000000000002"));

        assertThat(FenceProblem.of(new IllegalStateException(new IOException(stale)), new Fence(1)))
                .isPresent();
        ExecutionException other = new ExecutionException(new IOException("no fence"));
        assertThat(FenceProblem.of(other, new Fence(1))).isEmpty();
        assertThatThrownBy(() -> FenceCheck.run(headers, fence -> {
                    throw other;
                }))
                .isSameAs(other);
    }

    @Test
    @DisplayName("a stale fence of a lock that the work holds itself is no refusal of the request's")
    void ownLock() {
        StaleFenceException own = new StaleFenceException(LockKey.of("ledger"), new Fence(3), new Fence(9));

        assertThatThrownBy(() -> FenceCheck.run(List.of("000000000000005"), fence -> {
                    throw own;
                }))
                .isSameAs(own);
    }

    @Test
    @DisplayName("a failure whose causes go round in a circle is no refusal, and ends")
    void circle() {
        Exception one = new Exception();
        Exception two = new Exception(one);
        one.initCause(two);

        assertThat(FenceProblem.of(one, new Fence(1))).isEmpty();
    }

    @Test
    @DisplayName("a header that is not there has no fence")
    void noHeader() {
        assertThat(FenceCheck.parse(null)).isEmpty();
        assertThat(FenceCheck.parse(List.of())).isEmpty();
    }

    @Test
    @DisplayName("a request is not sent with a fence that no store grants")
    void badInput() {
        assertThatThrownBy(() -> FencedRequests.with(new Fence(0), HttpRequest.newBuilder(uri)))
                .isInstanceOf(LockException.class);
        assertThatThrownBy(() -> FencedRequests.with(null, HttpRequest.newBuilder(uri)))
                .isInstanceOf(LockException.class);
        assertThatThrownBy(() -> FencedRequests.with(new Fence(1), null)).isInstanceOf(LockException.class);
        assertThatThrownBy(() -> FencedRequests.check("account:7", null)).isInstanceOf(LockException.class);
        assertThatThrownBy(() -> FenceCheck.run(List.of(), null)).isInstanceOf(LockException.class);
    }
}
