package dev.syncguard.redis;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.ConflictException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.netty.channel.ConnectTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What the driver throws → {@link LockException}. The only class that names exceptions of the driver. */
final class RedisErrors {

    private static final String ERR = "ERR";
    private static final String NON_LOCAL_KEY = "non local key";
    private static final String CREDENTIALS =
            "the server refused the user or a permission; check user, password and the ACL line of the documentation";

    private static final String DENIED = "DENIED";

    private static final String PROTECTED =
            "the server has no password and accepts only connections from its own machine (protected-mode)";

    private static final String NO_COMMAND =
            "the server does not know a command that this library needs (rename-command?); see the cause and the ACL line of"
                    + " the documentation";

    /**
     * How an error reply begins; inside a script of a server before 7.0 its first word stands further back. What begins
     * with {@code ERR} stands at the beginning only: scripts quote Lua's own messages.
     */
    private static final Map<String, Failure> REPLIES = replies();

    /** Replies of a cluster that has some keys of a script on one node and some on another; nothing was changed. */
    private static final List<String> SPLIT_SLOT = List.of("TRYAGAIN", "ASK ");

    private static final String ARGUMENTS = ", with args beginning with";

    private static final String NOT_COMPILED = "Error compiling script";

    /** The driver did not find its handler in a channel that was closed meanwhile. */
    private static final String NO_HANDSHAKE = "RedisHandshakeHandler not registered";

    private static final String NO_DATABASE = "the server has no database of this number; check the end of the URL";

    private RedisErrors() {}

    private record Failure(Code code, String message) {}

    private static Map<String, Failure> replies() {
        Map<String, Failure> replies = new LinkedHashMap<>();
        for (String word : new String[] {"NOAUTH", "WRONGPASS", "NOPERM", "ERR invalid password"}) {
            replies.put(word, new Failure(Code.AUTH_FAILED, CREDENTIALS));
        }
        replies.put(DENIED, new Failure(Code.AUTH_FAILED, PROTECTED));
        replies.put("can't run this command", new Failure(Code.AUTH_FAILED, CREDENTIALS));
        for (String word : new String[] {"ERR unknown command", "Unknown Redis command"}) {
            replies.put(word, new Failure(Code.AUTH_FAILED, NO_COMMAND));
        }
        replies.put("ERR DB index is out of range", new Failure(Code.INVALID_ARGUMENT, NO_DATABASE));
        replies.put("ERR invalid DB index", new Failure(Code.INVALID_ARGUMENT, NO_DATABASE));
        for (String word : new String[] {"SYNTAX", "ERR syntax", "INVALID", "ERR invalid"}) {
            replies.put(word, new Failure(Code.INVALID_ARGUMENT, "the server does not accept an argument"));
        }
        replies.put("OOM", new Failure(Code.RATE_LIMITED, "the server is out of memory (maxmemory)"));
        replies.put(
                "max number of clients",
                new Failure(Code.RATE_LIMITED, "the server has too many clients (maxclients)"));
        replies.put(
                "READONLY", unavailable("this server is a replica; connect to the primary or use redis-sentinel://"));
        replies.put("MASTERDOWN", unavailable("this server is a replica that lost its primary"));
        replies.put("CLUSTERDOWN", unavailable("the cluster is down or lacks slots; see CLUSTER INFO"));
        replies.put("cluster is down", unavailable("the cluster is down or lacks slots; see CLUSTER INFO"));
        replies.put("MOVED", unavailable("the cluster is moving this slot, or this is one node of a cluster"));
        replies.put("NOREPLICAS", unavailable("too few replicas are connected (min-replicas-to-write)"));
        replies.put("MISCONF", unavailable("the server cannot write to its disk and refuses writes; see its log"));
        replies.put("LOADING", unavailable("the server is loading its data"));
        replies.put("BUSY", unavailable("another script blocks the server"));
        replies.put(
                "WRONGTYPE",
                new Failure(Code.INTERNAL, "foreign value: a key holds another type of value than belongs there"));
        replies.put(
                "CROSSSLOT",
                new Failure(
                        Code.INVALID_ARGUMENT,
                        "the keys are not in one slot of the cluster; give them a common hash tag"));
        return replies;
    }

    private static Failure unavailable(String message) {
        return new Failure(Code.SERVICE_UNAVAILABLE, message);
    }

    /** Whether the server does not know the script (any more); it has done nothing then. */
    static boolean isUnknownScript(Throwable failure) {
        return unwrap(failure) instanceof RedisNoScriptException;
    }

    /** Whether a cluster is moving the slot of the keys; nothing was changed, and the same command may succeed soon. */
    static boolean isMovingSlot(Throwable failure) {
        return unwrap(failure) instanceof RedisCommandExecutionException reply
                && (isSplitSlot(text(reply)) || text(reply).startsWith("MOVED "));
    }

    /** Whether the server keeps a command from us, by the user's rights or because it is renamed. */
    static boolean isForbiddenCommand(Throwable failure) {
        return unwrap(failure) instanceof RedisCommandExecutionException reply
                && (text(reply).startsWith("NOPERM") || text(reply).startsWith("ERR unknown command"));
    }

    /** Whether the server is a replica (now): another one is the primary. */
    static boolean isReplica(Throwable failure) {
        if (unwrap(failure) instanceof RedisCommandExecutionException reply) {
            Failure found = find(text(reply));
            return found != null && (found.equals(REPLIES.get("READONLY")) || found.equals(REPLIES.get("MASTERDOWN")));
        }
        return false;
    }

    /** Scripts read a key that they do not declare before they write anything. */
    private static boolean isSplitSlot(String reply) {
        return SPLIT_SLOT.stream().anyMatch(reply::startsWith)
                || (reply.startsWith(ERR) && reply.contains(NON_LOCAL_KEY));
    }

    private static String text(RedisCommandExecutionException reply) {
        return String.valueOf(reply.getMessage());
    }

    /**
     * Translates the failure of a command. What timed out may have been sent in that moment: its outcome is unknown.
     *
     * @param failure what the driver threw
     * @param sent whether the server may have seen the command
     */
    static LockException translate(Throwable failure, boolean sent) {
        Throwable cause = unwrap(failure);
        if (cause instanceof LockException known) {
            return known;
        }
        if (isTimeout(cause)) {
            return new LockException(Code.NETWORK_TIMEOUT, "the server did not answer in time", cause, true);
        }
        if (cause instanceof RedisCommandExecutionException reply) {
            return answered(reply);
        }
        return new LockException(
                Code.SERVICE_UNAVAILABLE,
                connectionProblem(cause, "the connection is down; it is opened again in the background"),
                cause,
                sent);
    }

    /** Whether the reply comes from inside of a script: servers name the place. A text that does not compile never ran. */
    static boolean isHalfway(Throwable failure) {
        return unwrap(failure) instanceof RedisCommandExecutionException reply
                && text(reply).contains("user_script")
                && !text(reply).contains(NOT_COMPILED);
    }

    /** A script of the application failed after it had begun. */
    static LockException halfway(Throwable failure) {
        Throwable reply = unwrap(failure);
        Failure known = find(String.valueOf(reply.getMessage()));
        // A command that does not exist is a fault of the script, not a lack of rights.
        return new LockException(
                known == null || known.message().equals(NO_COMMAND) ? Code.INTERNAL : known.code(),
                "the script failed (see the cause); what it wrote before that stays, and its fence counts as accepted",
                reply,
                true);
    }

    /** A script of the application ran to its end and returned an error. */
    static LockException returned(String error) {
        return new LockException(
                Code.INTERNAL,
                "the script returned an error (see the cause); what it wrote stays, and its fence counts as accepted",
                new RedisCommandExecutionException(error));
    }

    private static boolean isTimeout(Throwable cause) {
        return cause instanceof TimeoutException
                || cause instanceof RedisCommandTimeoutException
                || cause instanceof ConnectTimeoutException;
    }

    /**
     * No connection could be opened.
     *
     * @param late whether the command timeout has passed: a connection that was closed because nothing came back is one that
     *     timed out, whoever noticed first
     */
    static LockException cannotConnect(Throwable failure, String where, boolean late) {
        for (Throwable cause : reasons(failure)) {
            if (cause instanceof LockException known) {
                return known;
            }
            RedisCommandExecutionException reply = replyTo(cause);
            if (reply != null) {
                LockException answer = answered(reply);
                Throwable shown = answer.getCause() == reply ? failure : answer.getCause();
                return new LockException(answer.code(), plain(answer) + " (" + where + ")", shown);
            }
            if (isTimeout(cause) || (late && isClosing(cause))) {
                return new LockException(
                        Code.NETWORK_TIMEOUT, "cannot connect to " + where + " within the command timeout", failure);
            }
        }
        return new LockException(
                Code.SERVICE_UNAVAILABLE,
                "cannot connect to " + where + ": " + connectionProblem(failure, "no Redis server answers there"),
                failure);
    }

    /** What the driver itself throws when it cannot connect. */
    static RuntimeException notConnected(@Nullable Throwable cause) {
        return new RedisConnectionException("connecting failed", cause);
    }

    /** The connection was lost before the reply, as newer drivers say themselves. */
    static RuntimeException lost() {
        return new RedisConnectionException("connection lost before the reply; not sent again");
    }

    /** The reply in a failure to connect. That of protected mode comes before any command, so the driver has no call for it. */
    private static @Nullable RedisCommandExecutionException replyTo(Throwable cause) {
        if (cause instanceof RedisConnectionException refused
                && String.valueOf(refused.getMessage()).startsWith(DENIED)) {
            return new RedisCommandExecutionException(refused.getMessage());
        }
        return cause instanceof RedisCommandExecutionException reply ? reply : null;
    }

    /** Whether nothing is known but that the connection was closed, or that to each node of a cluster. */
    static boolean isClosedWithoutReason(Throwable failure) {
        List<Throwable> causes = causes(failure);
        return isClosing(failure)
                || (!causes.isEmpty() && causes.stream().allMatch(RedisErrors::isClosedWithoutReason));
    }

    /** A failure and all that is behind it. */
    private static List<Throwable> reasons(Throwable failure) {
        List<Throwable> reasons = new ArrayList<>(List.of(failure));
        causes(failure).forEach(cause -> reasons.addAll(reasons(cause)));
        return reasons;
    }

    /** A cluster that cannot be reached has no cause, but one suppressed failure for each node. */
    private static List<Throwable> causes(Throwable failure) {
        Stream<Throwable> nodes = Arrays.stream(failure.getSuppressed()).filter(RedisException.class::isInstance);
        return Stream.concat(Stream.ofNullable(failure.getCause()), nodes).toList();
    }

    /** The driver's own words for a connection that was closed before the server had answered, or before it was set up. */
    private static boolean isClosing(Throwable cause) {
        Throwable behind = cause.getCause();
        return cause instanceof RedisConnectionException
                && (behind == null
                        || behind instanceof ClosedChannelException
                        || (behind instanceof IllegalStateException && NO_HANDSHAKE.equals(behind.getMessage())));
    }

    /** The server repeats the first arguments of a command that it does not know: keys, lock ids, a password. */
    private static RedisCommandExecutionException withoutArguments(RedisCommandExecutionException reply) {
        int arguments = text(reply).indexOf(ARGUMENTS);
        if (arguments < 0) {
            return reply;
        }
        RedisCommandExecutionException copy =
                new RedisCommandExecutionException(text(reply).substring(0, arguments));
        copy.setStackTrace(reply.getStackTrace());
        return copy;
    }

    private static LockException answered(RedisCommandExecutionException given) {
        RedisCommandExecutionException reply = withoutArguments(given);
        if (isSplitSlot(text(reply))) {
            return new ConflictException("the cluster is moving the slot of this lock; nothing was changed", reply);
        }
        Failure failure = find(text(reply));
        if (text(reply).contains(NOT_COMPILED)) {
            return new LockException(Code.INVALID_ARGUMENT, "the script does not compile (see the cause)", reply);
        }
        if (failure == null) {
            return new LockException(Code.INTERNAL, "the server answered with an error that is not known", reply, true);
        }
        return new LockException(failure.code(), failure.message(), reply);
    }

    private static @Nullable Failure find(String reply) {
        boolean further = reply.startsWith(ERR);
        for (Map.Entry<String, Failure> entry : REPLIES.entrySet()) {
            String word = entry.getKey();
            if (reply.startsWith(word) || (further && !word.startsWith(ERR) && reply.contains(word))) {
                return entry.getValue();
            }
        }
        return null;
    }

    private static String plain(LockException answer) {
        String message = String.valueOf(answer.getMessage());
        return message.substring(message.indexOf(": ") + 2);
    }

    private static String connectionProblem(Throwable failure, String otherwise) {
        for (Throwable cause : reasons(failure)) {
            if (cause instanceof SSLException) {
                return "TLS failed; does the certificate name the host of the URL, and is its issuer trusted?";
            }
            if (cause instanceof CertificateException) {
                return "TLS failed; there are no certificates in the file that it trusts";
            }
            if (cause instanceof UnknownHostException) {
                return "the host name is not known";
            }
        }
        return otherwise;
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
