/** What goes to the screen and to scripts. */
@NullMarked
package dev.syncguard.cli.text;

import org.jspecify.annotations.NullMarked;
