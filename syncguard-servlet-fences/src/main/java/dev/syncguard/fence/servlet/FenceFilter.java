package dev.syncguard.fence.servlet;

import dev.syncguard.Fence;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.fence.http.FenceCheck;
import dev.syncguard.fence.http.FenceProblem;
import dev.syncguard.fence.http.FencedRequests;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the fence of a request, hands it to what follows, and answers with a problem document if it is missing, malformed
 * or refused.
 *
 * <pre>{@code
 * fences.advance(connection, "account:7", FenceFilter.fence(request).orElseThrow());   // in the transaction of the write
 * }</pre>
 *
 * <p>The filter itself checks nothing against a guard: between a check in a filter and the write another client may come.
 * The guard of the data decides, and a {@link StaleFenceException} that it throws becomes a 409 here, as long as the
 * response is not committed; of that response only the headers of filters outside of this one stay. A handler that goes on
 * asynchronously has left the filter: it answers with {@link FenceProblem#of} itself, or dispatches, with the filter mapped
 * for {@code ASYNC}, too. What is included cannot answer: its refusal goes on
 * to the filter around the whole request. {@code GET}, {@code HEAD}, {@code OPTIONS} and {@code TRACE} need no fence; nor
 * does a dispatch to an error page.
 */
public final class FenceFilter implements Filter {

    private static final String ATTRIBUTE = FenceFilter.class.getName();
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private final boolean required;

    /** Creates a filter that refuses a request without a fence; for containers that make filters by name. */
    public FenceFilter() {
        this(true);
    }

    /**
     * Creates a filter.
     *
     * @param required whether a request that is not safe is refused without a fence
     */
    public FenceFilter(boolean required) {
        this.required = required;
    }

    /**
     * Returns the fence of a request that has passed a filter.
     *
     * @param request the request
     * @return the fence, or empty if the request has none
     */
    public static Optional<Fence> fence(ServletRequest request) {
        return Optional.ofNullable((Fence) request.getAttribute(ATTRIBUTE));
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest http && response instanceof HttpServletResponse answer) {
            filter(http, answer, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        List<String> headers = Collections.list(request.getHeaders(FencedRequests.HEADER));
        if (request.getDispatcherType() == DispatcherType.ERROR) {
            chain.doFilter(request, response); // the answer of the filter that has failed or refused before
            return;
        }
        boolean included = request.getDispatcherType() == DispatcherType.INCLUDE;
        Optional<FenceProblem> unfit = read(request, headers);
        if (unfit.isPresent()) {
            if (included) {
                throw new ServletException(unfit.get().toString());
            }
            answer(response, headersOf(response), unfit.get());
            return;
        }
        Map<String, Collection<String>> before = headersOf(response);
        try {
            chain.doFilter(request, response);
        } catch (IOException | ServletException | RuntimeException e) {
            Optional<FenceProblem> refusal = FenceProblem.of(e, fence(request).orElse(null));
            // What is included cannot set the status: the client would read a refusal under a 200.
            if (refusal.isEmpty() || included || response.isCommitted()) {
                throw e;
            }
            answer(response, before, refusal.get());
            if (request.isAsyncStarted()) {
                complete(request);
            }
        }
    }

    /** Keeps the fence for what follows; returns what is wrong with it. */
    private Optional<FenceProblem> read(HttpServletRequest request, List<String> headers) {
        if (headers.isEmpty()) {
            boolean demanded = required && !SAFE.contains(request.getMethod());
            return demanded ? Optional.of(FenceProblem.missing()) : Optional.empty();
        }
        Optional<Fence> fence = FenceCheck.parse(headers);
        fence.ifPresent(found -> request.setAttribute(ATTRIBUTE, found));
        return fence.isPresent() ? Optional.empty() : Optional.of(FenceProblem.malformed());
    }

    /** A handler that has failed after {@code startAsync} will not do it, and the client would wait for the timeout. */
    private static void complete(HttpServletRequest request) {
        try {
            request.getAsyncContext().complete();
        } catch (IllegalStateException completed) {
            return; // by a thread of the handler: Tomcat calls such a request asynchronous until the handler returns
        }
    }

    /** What filters outside of this one have set: for other origins, for tracing. */
    private static Map<String, Collection<String>> headersOf(HttpServletResponse response) {
        Map<String, Collection<String>> headers = new LinkedHashMap<>();
        response.getHeaderNames().forEach(name -> headers.put(name, List.copyOf(response.getHeaders(name))));
        return headers;
    }

    private static void answer(
            HttpServletResponse response, Map<String, Collection<String>> before, FenceProblem problem)
            throws IOException {
        response.reset();
        before.forEach((name, values) -> restore(response, name, values));
        response.setStatus(problem.status());
        problem.header().ifPresent(fence -> response.setHeader(FencedRequests.HEADER, fence));
        response.setContentType(FenceProblem.MEDIA_TYPE);
        // Not by the writer: it would add the container's charset to the type, and JSON has none but UTF-8.
        response.getOutputStream().write(problem.json().getBytes(StandardCharsets.UTF_8));
    }

    /** Some headers survive a reset: in Jetty its own, such as {@code Date}, and the cookie of a session. */
    private static void restore(HttpServletResponse response, String name, Collection<String> values) {
        List<String> kept = List.copyOf(response.getHeaders(name));
        values.stream().filter(value -> !kept.contains(value)).forEach(value -> response.addHeader(name, value));
    }
}
