package dev.syncguard.fence.http;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.fence.FenceClaim;
import dev.syncguard.fence.StaleFenceException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;

/**
 * The client's side, for {@code java.net.http}.
 *
 * <pre>{@code
 * HttpRequest request = FencedRequests.with(lease.fence(), HttpRequest.newBuilder(uri).PUT(body)).build();
 * FencedRequests.check("account:7", client.send(request, BodyHandlers.ofString()));
 * }</pre>
 */
public final class FencedRequests {

    /** The header with the fence: 15 digits. In a refusal, the highest fence that the server has accepted. */
    public static final String HEADER = "Syncguard-Fence";

    private FencedRequests() {}

    /**
     * Puts a fence into a request.
     *
     * @param fence the fence of the writer's lease
     * @param request the request
     * @return the same builder
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if no store grants such a fence
     */
    public static HttpRequest.Builder with(Fence fence, HttpRequest.Builder request) {
        if (request == null) {
            throw new LockException(Code.INVALID_ARGUMENT, "request must not be null");
        }
        FenceClaim.of("request", fence);
        return request.setHeader(HEADER, fence.toString());
    }

    /**
     * Throws if a server refused the fence of a request; any other response is for the caller to judge.
     *
     * @param <T> the type of the body
     * @param resource what was written to, for the exception
     * @param response the response to a request with a fence
     * @return the same response
     * @throws StaleFenceException if the server has accepted a newer fence
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if the resource is no valid key or the response is null
     */
    public static <T> HttpResponse<T> check(String resource, HttpResponse<T> response) {
        LockKey key = LockKey.of(resource);
        if (response == null) {
            throw new LockException(Code.INVALID_ARGUMENT, "response must not be null");
        }
        Optional<Fence> sent = fence(response.request().headers().firstValue(HEADER));
        Optional<Fence> highest = fence(response.headers().firstValue(HEADER));
        if (response.statusCode() == FenceProblem.CONFLICT
                && sent.isPresent()
                && highest.isPresent()
                && highest.get().isNewerThan(sent.get())) { // some servers send headers of the request back
            throw new StaleFenceException(key, sent.get(), highest.get());
        }
        return response;
    }

    /** Another server's 409 may have anything in its headers. */
    private static Optional<Fence> fence(Optional<String> header) {
        try {
            return header.map(Fence::parse);
        } catch (LockException e) {
            return Optional.empty();
        }
    }
}
