/** The {@code syncguard} command: what starts it, and what its failures look like. */
@NullMarked
package dev.syncguard.cli;

import org.jspecify.annotations.NullMarked;
