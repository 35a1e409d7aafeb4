package dev.syncguard.redis;

import java.util.List;
import java.util.function.Function;

/**
 * One operation, not yet sent.
 *
 * @param script what to run
 * @param keys its keys
 * @param args its arguments
 * @param decoder turns the reply into the outcome
 */
record RedisRequest<T>(RedisScript script, List<String> keys, List<String> args, Function<List<Object>, T> decoder) {}
