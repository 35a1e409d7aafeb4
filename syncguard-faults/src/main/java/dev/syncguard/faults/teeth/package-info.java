/** Seeded bugs: changes of the real sources, each of which the checker must catch. */
@NullMarked
package dev.syncguard.faults.teeth;

import org.jspecify.annotations.NullMarked;
