/** Measures this library beside others. {@code ./syncguard-benchmarks/run} runs {@link dev.syncguard.benchmarks.Benchmarks}. */
@NullMarked
package dev.syncguard.benchmarks;

import org.jspecify.annotations.NullMarked;
