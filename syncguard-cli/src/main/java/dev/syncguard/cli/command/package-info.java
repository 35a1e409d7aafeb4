/** The commands, one class each, and the options that they share. */
@NullMarked
package dev.syncguard.cli.command;

import org.jspecify.annotations.NullMarked;
