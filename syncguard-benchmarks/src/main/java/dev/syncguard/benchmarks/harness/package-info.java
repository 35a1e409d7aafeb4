/** Measures candidates side by side: what a candidate, a store and a workload are, and the workloads all stores share. */
@NullMarked
package dev.syncguard.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
