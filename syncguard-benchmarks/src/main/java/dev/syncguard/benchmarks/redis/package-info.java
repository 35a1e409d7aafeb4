/** Redis: our backend, the bare driver, and other libraries on the same server. */
@NullMarked
package dev.syncguard.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
