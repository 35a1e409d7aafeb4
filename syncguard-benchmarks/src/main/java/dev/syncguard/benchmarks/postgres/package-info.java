/**
 * Lock cycles and hand-over on PostgreSQL, ours beside hand-written statements, ShedLock and Spring Integration. Run by
 * hand: {@code java -cp target/benchmarks.jar dev.syncguard.benchmarks.postgres.PostgresBenchmark}.
 */
@NullMarked
package dev.syncguard.benchmarks.postgres;

import org.jspecify.annotations.NullMarked;
