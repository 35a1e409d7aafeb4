package dev.syncguard.fence.http;

import dev.syncguard.Fence;
import dev.syncguard.fence.StaleFenceException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why a server refuses a request, as a problem document of RFC 9457. It never names the resource. */
public final class FenceProblem {

    /** The media type of the document. */
    public static final String MEDIA_TYPE = "application/problem+json";

    static final int CONFLICT = 409;

    /** Causes may go round in a circle. */
    private static final int MOST_CAUSES = 50;

    private final int status;
    private final String type;
    private final String title;
    private final String detail;
    private final @Nullable Fence fence;
    private final @Nullable Fence highest;

    private FenceProblem(
            int status, String type, String title, String detail, @Nullable Fence fence, @Nullable Fence highest) {
        this.status = status;
        this.type = "urn:syncguard:problem:" + type;
        this.title = title;
        this.detail = detail;
        this.fence = fence;
        this.highest = highest;
    }

    /**
     * Returns the refusal of a stale fence: 409.
     *
     * @param refusal what a guard has thrown
     * @return the problem
     */
    public static FenceProblem stale(StaleFenceException refusal) {
        return new FenceProblem(
                CONFLICT,
                "stale-fence",
                "The fence is stale",
                "A holder with a newer fence was here before. Acquire the lock again and repeat the work.",
                refusal.fence(),
                refusal.highest());
    }

    /**
     * Returns the refusal that a failure stands for: of a {@link StaleFenceException}, also if something has wrapped it, as
     * frameworks and futures do. A handler may also hold a lock of its own: if it is that fence which is stale, this is no
     * refusal of the request, and its client must not be told that it has lost its lock.
     *
     * @param failure what a handler has thrown
     * @param fence the fence of the request; null if it has none
     * @return the problem, or empty if the failure has another cause
     */
    public static Optional<FenceProblem> of(Throwable failure, @Nullable Fence fence) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            if (cause instanceof StaleFenceException stale && stale.fence().equals(fence)) {
                return Optional.of(stale(stale));
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    /**
     * Returns the refusal of a request without a fence: 428.
     *
     * @return the problem
     */
    public static FenceProblem missing() {
        return new FenceProblem(
                428,
                "missing-fence",
                "The request has no fence",
                "Send the fence of your lease in the header " + FencedRequests.HEADER + ".",
                null,
                null);
    }

    /**
     * Returns the refusal of a fence that no store grants, or of more than one: 400.
     *
     * @return the problem
     */
    public static FenceProblem malformed() {
        return new FenceProblem(
                400,
                "malformed-fence",
                "The fence is malformed",
                "The header " + FencedRequests.HEADER + " has exactly 15 digits, from 000000000000001 to " + Fence.MAX
                        + ".",
                null,
                null);
    }

    /**
     * Returns the status of the response.
     *
     * @return 409, 428 or 400
     */
    public int status() {
        return status;
    }

    /**
     * Returns what belongs into the response's header {@link FencedRequests#HEADER}.
     *
     * @return the highest fence that was accepted, if that is why
     */
    public Optional<String> header() {
        return Optional.ofNullable(highest).map(Fence::toString);
    }

    /**
     * Returns the body of the response.
     *
     * @return the document, in ASCII
     */
    public String json() {
        return "{\"type\":\"" + type + "\",\"title\":\"" + title + "\",\"status\":" + status + ",\"detail\":\"" + detail
                + "\"" + member("fence", fence) + member("highest", highest) + "}";
    }

    private static String member(String name, @Nullable Fence value) {
        return value == null ? "" : ",\"" + name + "\":\"" + value + "\"";
    }

    /** Returns the document. */
    @Override
    public String toString() {
        return json();
    }
}
