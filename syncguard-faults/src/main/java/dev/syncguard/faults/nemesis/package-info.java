/** Breaks what the clients rely on, by a schedule that the seed decides. */
@NullMarked
package dev.syncguard.faults.nemesis;

import org.jspecify.annotations.NullMarked;
