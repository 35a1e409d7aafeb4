/** The fault suite: commands, gates and rounds. */
@NullMarked
package dev.syncguard.faults;

import org.jspecify.annotations.NullMarked;
