package dev.syncguard.redis;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One operation, not yet sent.
 *
 * @param script what to run
 * @param words what follows the script: the number of keys, the keys, the arguments
 * @param decoder turns the reply into the outcome
 * @param withLock the same operation with the lock's key declared, if it is not: for a cluster, which answers wrongly for a
 *     key that a script does not declare while the slot moves
 */
record RedisRequest<T>(
        ScriptText script,
        List<String> words,
        Function<List<Object>, T> decoder,
        @Nullable Function<String, RedisRequest<T>> withLock) {

    RedisRequest(ScriptText script, List<String> words, Function<List<Object>, T> decoder) {
        this(script, words, decoder, null);
    }

    String firstKey() {
        return words.get(1);
    }

    /** What to ask instead if the lock that the index entry names was not seen; null if the reply is the answer. */
    @Nullable
    RedisRequest<T> next(List<Object> reply) {
        return withLock != null && RedisReply.isUnseen(reply) ? withLock.apply(RedisReply.text(reply, 1)) : null;
    }
}
