/** Waiting for a lock and watching over a command that needs it. */
@NullMarked
package dev.syncguard.cli.run;

import org.jspecify.annotations.NullMarked;
