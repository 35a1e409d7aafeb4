/** The Redis backend next to what others do on the same server. Run {@code RedisComparison}. */
@NullMarked
package dev.syncguard.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
