/** Judges histories. Knows the library neither by name nor by what it says of itself. */
@NullMarked
package dev.syncguard.faults.checker;

import org.jspecify.annotations.NullMarked;
