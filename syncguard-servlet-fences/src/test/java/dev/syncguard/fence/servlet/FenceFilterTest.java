package dev.syncguard.fence.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.Fence;
import dev.syncguard.LockKey;
import dev.syncguard.fence.MemoryFenceGuard;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.fence.http.FencedRequests;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The filter in a real container (Jetty), asked over a real connection. */
class FenceFilterTest {

    private static final String ACCOUNT = "account:7";

    private final MemoryFenceGuard fences = new MemoryFenceGuard();
    private final List<String> written = new CopyOnWriteArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Server server = new Server();
    private URI base;

    @BeforeEach
    void start() throws Exception {
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        EnumSet<DispatcherType> requests = EnumSet.of(DispatcherType.REQUEST);
        context.addFilter(new FilterHolder(new Outer()), "/*", requests);
        context.addFilter(new FilterHolder(new FenceFilter()), "/accounts/*", requests);
        context.addFilter(new FilterHolder(new FenceFilter(false)), "/optional/*", requests);
        context.addServlet(new ServletHolder(new Accounts()), "/*");
        server.setHandler(context);
        server.start();
        base = URI.create("http://127.0.0.1:" + connector.getLocalPort());
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    /** Sets headers for whatever the answer will be. */
    private static final class Outer extends HttpFilter {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            response.setHeader("Access-Control-Allow-Origin", "https://app.example");
            response.addCookie(new Cookie("trace", "7"));
            response.addHeader("Vary", "Origin");
            response.addHeader("Vary", "Accept");
            chain.doFilter(request, response);
        }
    }

    /** Writes behind the guard, as an application does. */
    private final class Accounts extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doPut(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            String body = new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Optional<Fence> fence = FenceFilter.fence(request);
            if (body.equals("committed")) {
                response.flushBuffer();
            }
            response.getWriter().write("half an answer");
            response.setHeader("ETag", "of half an answer");
            if (body.equals("own lock")) {
                throw new StaleFenceException(LockKey.of("ledger"), new Fence(3), new Fence(9));
            }
            try {
                fence.ifPresent(found -> fences.advance(ACCOUNT, found, () -> written.add(body)));
            } catch (StaleFenceException stale) {
                if (body.equals("wrapped")) {
                    throw new ServletException(new IllegalStateException(stale));
                }
                throw stale;
            }
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().write("fence " + FenceFilter.fence(request).isPresent());
        }
    }

    private HttpResponse<String> put(String path, String body, String... fence) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path)).PUT(BodyPublishers.ofString(body));
        for (String value : fence) {
            request.header(FencedRequests.HEADER, value);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    @DisplayName("a current fence reaches the handler")
    void current() throws Exception {
        assertThat(put("/accounts/7", "one", "000000000000001").statusCode()).isEqualTo(200);
        assertThat(put("/accounts/7", "two", "000000000000002").statusCode()).isEqualTo(200);
        assertThat(written).containsExactly("one", "two");
        assertThat(fences.highest(ACCOUNT)).contains(new Fence(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "wrapped"})
    @DisplayName("a stale fence is a 409 with a problem document, which the client turns into the exception")
    void stale(String how) throws Exception {
        fences.advance(ACCOUNT, new Fence(2));

        HttpResponse<String> response = put("/accounts/7", how, "000000000000001");

        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(response.headers().firstValue("Content-Type").orElseThrow()).isEqualTo("application/problem+json");
        assertThat(response.body())
                .startsWith("{\"type\":\"urn:syncguard:problem:stale-fence\"")
                .endsWith("\"fence\":\"000000000000001\",\"highest\":\"000000000000002\"}");
        StaleFenceException refusal =
                catchThrowableOfType(StaleFenceException.class, () -> FencedRequests.check(ACCOUNT, response));
        assertThat(refusal.highest()).isEqualTo(new Fence(2));
        assertThat(written).isEmpty();
    }

    @Test
    @DisplayName("a handler that has lost a lock of its own does not make the client believe that its fence is stale")
    void ownLock() throws Exception {
        HttpResponse<String> response = put("/accounts/7", "own lock", "000000000000005");

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(FencedRequests.check(ACCOUNT, response)).isSameAs(response);
    }

    @Test
    @DisplayName("missing is a 428 and malformed a 400, before the handler")
    void refusedBefore() throws Exception {
        assertThat(put("/accounts/7", "x").statusCode()).isEqualTo(428);
        assertThat(put("/accounts/7", "x", "1").statusCode()).isEqualTo(400);
        assertThat(put("/accounts/7", "x", "000000000000001", "000000000000001").statusCode())
                .isEqualTo(400);
        assertThat(put("/optional/7", "x", "1").statusCode()).isEqualTo(400);
        assertThat(written).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"000000000000001", "malformed", ""})
    @DisplayName("a refusal keeps the headers of filters outside, and none of the handler")
    void headers(String fence) throws Exception {
        fences.advance(ACCOUNT, new Fence(2));

        HttpResponse<String> response = fence.isEmpty() ? put("/accounts/7", "x") : put("/accounts/7", "x", fence);

        assertThat(response.statusCode()).isIn(400, 409, 428);
        assertThat(response.headers().allValues("Access-Control-Allow-Origin")).containsExactly("https://app.example");
        assertThat(response.headers().allValues("Set-Cookie")).containsExactly("trace=7");
        assertThat(String.join(", ", response.headers().allValues("Vary"))).isEqualTo("Origin, Accept");
        assertThat(response.headers().firstValue("ETag")).isEmpty();
        assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
        assertThat(response.headers().allValues("Date"))
                .as("the container's own")
                .hasSize(1);
        assertThat(response.headers().allValues("Server"))
                .as("the container's own")
                .hasSize(1);
    }

    @Test
    @DisplayName("where it is optional, and for reading, no fence is needed")
    void optional() throws Exception {
        assertThat(put("/optional/7", "x").statusCode()).isEqualTo(200);
        HttpRequest get = HttpRequest.newBuilder(base.resolve("/accounts/7")).build();
        assertThat(client.send(get, BodyHandlers.ofString()).body()).isEqualTo("fence false");
    }

    @Test
    @DisplayName("a response that is on its way stays as it is, and nothing is written")
    void committed() throws Exception {
        fences.advance(ACCOUNT, new Fence(2));
        try {
            assertThat(put("/accounts/7", "committed", "000000000000001").statusCode())
                    .isNotEqualTo(409);
        } catch (IOException cutOff) {
            assertThat(cutOff).isNotNull();
        }
        assertThat(written).isEmpty();
    }
}
