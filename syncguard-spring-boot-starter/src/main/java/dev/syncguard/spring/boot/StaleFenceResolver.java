package dev.syncguard.spring.boot;

import dev.syncguard.Fence;
import dev.syncguard.fence.http.FenceCheck;
import dev.syncguard.fence.http.FenceProblem;
import dev.syncguard.fence.http.FencedRequests;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers a request whose own fence is stale. A stale fence of a lock that the handler holds itself is not the client's, and
 * goes on to the exception handlers of the application.
 */
final class StaleFenceResolver implements HandlerExceptionResolver, Ordered {

    /** Before those of the application: a handler of all exceptions would make a 500 of it. */
    @Override
    public int getOrder() {
        return -1;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        Optional<Fence> fence = FenceCheck.parse(Collections.list(request.getHeaders(FencedRequests.HEADER)));
        Optional<FenceProblem> problem = FenceProblem.of(failure, fence.orElse(null));
        if (fence.isEmpty() || problem.isEmpty() || response.isCommitted()) {
            return null;
        }
        try {
            answer(response, problem.get());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ModelAndView();
    }

    private static void answer(HttpServletResponse response, FenceProblem problem) throws IOException {
        response.resetBuffer();
        response.setStatus(problem.status());
        problem.header().ifPresent(highest -> response.setHeader(FencedRequests.HEADER, highest));
        response.setContentType(FenceProblem.MEDIA_TYPE);
        response.getOutputStream().write(problem.json().getBytes(StandardCharsets.UTF_8));
    }
}
