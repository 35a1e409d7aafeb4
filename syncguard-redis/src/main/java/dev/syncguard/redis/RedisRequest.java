package dev.syncguard.redis;

import java.util.List;
import java.util.function.Function;

/**
 * One operation, not yet sent.
 *
 * @param script what to run
 * @param words what follows the script: the number of keys, the keys, the arguments
 * @param decoder turns the reply into the outcome
 */
record RedisRequest<T>(RedisScript script, List<String> words, Function<List<Object>, T> decoder) {

    String firstKey() {
        return words.get(1);
    }
}
