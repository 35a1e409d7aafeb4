/** JMH benchmarks. Compiled in every build, run by hand; see docs/benchmarks. */
@NullMarked
package dev.syncguard.benchmarks;

import org.jspecify.annotations.NullMarked;
