/** Programs that show one use each. */
@NullMarked
package dev.syncguard.examples;

import org.jspecify.annotations.NullMarked;
