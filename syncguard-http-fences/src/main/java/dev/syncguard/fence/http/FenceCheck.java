package dev.syncguard.fence.http;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.fence.FenceClaim;
import dev.syncguard.fence.StaleFenceException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server's side, for any server.
 *
 * <pre>{@code
 * Optional<FenceProblem> refusal = FenceCheck.run(exchange.getRequestHeaders().get("Syncguard-Fence"), fence -> {
 *     fences.advance(connection, "account:7", fence);   // the guard of the data, in the transaction of the write
 *     write(connection);
 * });
 * }</pre>
 *
 * <p>The check belongs into the write. A check before it, in a filter for example, cannot see who comes in between.
 */
public final class FenceCheck {

    private FenceCheck() {}

    /**
     * What a request does.
     *
     * @param <X> what it may throw
     */
    @FunctionalInterface
    public interface Work<X extends Exception> {

        /**
         * Writes behind a guard.
         *
         * @param fence the fence of the request
         * @throws X whatever goes wrong; a {@link StaleFenceException} of this fence, also a wrapped one, becomes the refusal
         */
        void write(Fence fence) throws X;
    }

    /**
     * Runs the work with the fence of a request.
     *
     * @param <X> what the work may throw
     * @param headers the values of the header {@link FencedRequests#HEADER}; null or empty if there is none
     * @param work what the request does
     * @return empty if it is done; else why the request is refused
     * @throws X what the work throws, but for a {@link StaleFenceException} of this fence
     */
    public static <X extends Exception> Optional<FenceProblem> run(@Nullable List<String> headers, Work<X> work)
            throws X {
        if (work == null) {
            throw new LockException(Code.INVALID_ARGUMENT, "work must not be null");
        }
        if (headers == null || headers.isEmpty()) {
            return Optional.of(FenceProblem.missing());
        }
        Optional<Fence> fence = parse(headers);
        if (fence.isEmpty()) {
            return Optional.of(FenceProblem.malformed());
        }
        try {
            work.write(fence.get());
            return Optional.empty();
        } catch (Exception e) {
            Optional<FenceProblem> refusal = FenceProblem.of(e, fence.get());
            if (refusal.isEmpty()) {
                throw e;
            }
            return refusal;
        }
    }

    /**
     * Reads the header.
     *
     * @param headers its values; null or empty if there is none
     * @return the fence, or empty if there is not exactly one that a store can grant
     */
    public static Optional<Fence> parse(@Nullable List<String> headers) {
        if (headers == null || headers.size() != 1) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    FenceClaim.of("request", Fence.parse(headers.get(0))).fence());
        } catch (LockException malformed) {
            return Optional.empty();
        }
    }
}
