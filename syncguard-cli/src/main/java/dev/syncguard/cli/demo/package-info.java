/** The story in one screen. */
@NullMarked
package dev.syncguard.cli.demo;

import org.jspecify.annotations.NullMarked;
