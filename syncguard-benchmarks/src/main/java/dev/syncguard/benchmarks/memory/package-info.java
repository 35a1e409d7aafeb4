/** The in-memory store: what the facade itself costs. */
@NullMarked
package dev.syncguard.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
