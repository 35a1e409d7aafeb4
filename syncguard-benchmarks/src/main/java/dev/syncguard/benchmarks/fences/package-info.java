/** What a fence guard costs, beside the same write without one. */
@NullMarked
package dev.syncguard.benchmarks.fences;

import org.jspecify.annotations.NullMarked;
