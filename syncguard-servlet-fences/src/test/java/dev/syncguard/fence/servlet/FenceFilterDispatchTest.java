package dev.syncguard.fence.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.Fence;
import dev.syncguard.fence.MemoryFenceGuard;
import dev.syncguard.fence.http.FencedRequests;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler;
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

/** The filter mapped for dispatches of every type, in a real container (Jetty). */
class FenceFilterDispatchTest {

    private static final String ACCOUNT = "account:7";

    private final MemoryFenceGuard fences = new MemoryFenceGuard();
    private final List<RuntimeException> thrown = new CopyOnWriteArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Server server = new Server();
    private URI base;

    @BeforeEach
    void start() throws Exception {
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        add(context, new Login());
        add(context, new FenceFilter());
        ServletHolder accounts = new ServletHolder(new Accounts());
        accounts.setAsyncSupported(true);
        context.addServlet(accounts, "/*");
        ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
        errors.addErrorPage(ErrorPageErrorHandler.GLOBAL_ERROR_PAGE, "/error");
        context.setErrorHandler(errors);
        server.setHandler(context);
        server.start();
        base = URI.create("http://127.0.0.1:" + connector.getLocalPort());
        fences.advance(ACCOUNT, new Fence(2));
    }

    private static void add(ServletContextHandler context, jakarta.servlet.Filter filter) {
        FilterHolder holder = new FilterHolder(filter);
        holder.setAsyncSupported(true);
        context.addFilter(holder, "/*", EnumSet.allOf(DispatcherType.class));
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    /** As in Tomcat: asynchronous until the handler has returned, completed or not, but not to be completed again. */
    private static final class CompletedOnce extends HttpServletRequestWrapper {

        CompletedOnce(HttpServletRequest request) {
            super(request);
        }

        @Override
        public AsyncContext getAsyncContext() {
            if ("/completed".equals(getPathInfo())) {
                throw new IllegalStateException("completed before");
            }
            return super.getAsyncContext();
        }
    }

    /** Refuses a request before the fence is looked at. */
    private final class Login extends HttpFilter {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            if (request.getServletPath().equals("/secret")
                    || String.valueOf(request.getPathInfo()).equals("/secret")) {
                response.sendError(401);
            } else {
                try {
                    chain.doFilter(new CompletedOnce(request), response);
                } catch (RuntimeException e) {
                    thrown.add(e);
                    throw e;
                }
            }
        }
    }

    private final class Accounts extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            if (request.getDispatcherType() == DispatcherType.ERROR) {
                response.getWriter().write("the error page");
            } else if (String.valueOf(request.getPathInfo()).equals("/outer")
                    && request.getDispatcherType() == DispatcherType.REQUEST) {
                response.getWriter().write("done: ");
                request.getRequestDispatcher("/inner").include(request, response);
            } else if (request.getPathInfo().equals("/forward")
                    && request.getDispatcherType() == DispatcherType.REQUEST) {
                request.getRequestDispatcher("/inner").forward(request, response);
            } else if (request.getPathInfo().equals("/dispatch")
                    && request.getDispatcherType() == DispatcherType.REQUEST) {
                request.startAsync().dispatch();
            } else {
                if (request.getPathInfo().equals("/started")) {
                    AsyncContext neverCompleted = request.startAsync();
                    neverCompleted.setTimeout(Duration.ofMinutes(5).toMillis());
                } else if (request.getPathInfo().equals("/completed")) {
                    request.startAsync().complete();
                }
                fences.advance(ACCOUNT, FenceFilter.fence(request).orElseThrow());
            }
        }
    }

    private HttpResponse<String> post(String path, String... header) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path))
                .POST(BodyPublishers.ofString("x"))
                .timeout(Duration.ofMinutes(1));
        if (header.length > 0) {
            request.headers(header);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    @DisplayName("a handler that is refused after startAsync is answered at once, not at the end of its timeout")
    void refusedAfterStart() throws Exception {
        HttpResponse<String> response = post("/started", FencedRequests.HEADER, "000000000000001");

        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(response.body()).contains("stale-fence");
    }

    @Test
    @DisplayName("a handler that is refused after it has completed the request itself is answered, too")
    void refusedAfterCompletion() throws Exception {
        HttpResponse<String> response = post("/completed", FencedRequests.HEADER, "000000000000001");

        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(response.body()).contains("stale-fence");
        assertThat(thrown).as("what the filter throws: a 500 in Tomcat").isEmpty();
    }

    @Test
    @DisplayName("a handler that is refused in an asynchronous dispatch is answered like any other")
    void refusedInDispatch() throws Exception {
        assertThat(post("/dispatch", FencedRequests.HEADER, "000000000000001").statusCode())
                .isEqualTo(409);
        assertThat(post("/dispatch", FencedRequests.HEADER, "000000000000002").statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/outer", "/forward"})
    @DisplayName(
            "a handler that is refused while another one includes it or forwards to it is a 409 of the whole request")
    void refusedInside(String path) throws Exception {
        HttpResponse<String> stale = post(path, FencedRequests.HEADER, "000000000000001");

        assertThat(stale.statusCode()).isEqualTo(409);
        assertThat(stale.body()).startsWith("{").contains("stale-fence");
        assertThat(post(path, FencedRequests.HEADER, "000000000000002").statusCode())
                .isEqualTo(200);
    }

    @Test
    @DisplayName("the error page of another refusal is not replaced by the demand for a fence")
    void errorPage() throws Exception {
        HttpResponse<String> response = post("/secret");

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.body()).isEqualTo("the error page");
    }
}
