package dev.syncguard.redis;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.LockListing;
import dev.syncguard.spi.StoredLock;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;

/** Live locks by SCAN, master after master. A cursor is the id of the master and the server's own cursor. */
final class RedisListing implements LockListing {

    private final RedisSession session;
    private final RedisKeys keys;

    RedisListing(RedisSession session) {
        this.session = session;
        this.keys = session.keys();
    }

    @Override
    public Page list(Optional<String> cursor, int limit, AbortSignal signal) {
        LockListing.checkedLimit(limit);
        signal.throwIfAborted();
        SortedMap<String, StatefulConnection<String, String>> masters =
                session.link().masters();
        int colon = cursor.map(text -> text.lastIndexOf(':')).orElse(-1);
        String node = colon < 0 ? masters.firstKey() : cursor.orElseThrow().substring(0, colon);
        String position = colon < 0 ? "0" : cursor.orElseThrow().substring(colon + 1);
        StatefulConnection<String, String> connection = masters.get(node);
        if (connection == null || (cursor.isPresent() && !position.matches("\\d{1,20}"))) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "this cursor leads nowhere; the cluster may have changed: list from the start");
        }
        List<Object> reply = session.executor(connection).await(scan(position, limit));
        String next = RedisReply.text(reply, 0);
        return new Page(locks(reply.subList(1, reply.size())), next(masters, node, next));
    }

    private RedisCall scan(String position, int limit) {
        return RedisCall.of(CommandType.SCAN, position, "MATCH", keys.pattern(), "COUNT", Integer.toString(limit));
    }

    private static Optional<String> next(SortedMap<String, ?> masters, String node, String position) {
        if (!position.equals("0")) {
            return Optional.of(node + ":" + position);
        }
        return masters.tailMap(node + "\0").keySet().stream().findFirst().map(following -> following + ":0");
    }

    /** Asks for all of them at once; what is no lock of ours is left out. */
    private List<StoredLock> locks(List<Object> found) {
        RedisExecutor executor = session.executor();
        List<CompletableFuture<Optional<StoredLock>>> asked = found.stream()
                .map(String.class::cast)
                .filter(keys::isLock)
                .map(key -> executor.submit(session.requests().findAt(key)).toCompletableFuture())
                .toList();
        List<StoredLock> locks = new ArrayList<>();
        for (CompletableFuture<Optional<StoredLock>> answer : asked) {
            try {
                executor.await(answer).ifPresent(locks::add);
            } catch (LockException e) {
                if (e.code() != Code.INTERNAL) {
                    throw e;
                }
            }
        }
        return locks;
    }
}
