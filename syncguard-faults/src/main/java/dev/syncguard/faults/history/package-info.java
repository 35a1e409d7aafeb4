/** What every process writes down, and how it is read again: JSON Lines, one clock for all processes of the host. */
@NullMarked
package dev.syncguard.faults.history;

import org.jspecify.annotations.NullMarked;
