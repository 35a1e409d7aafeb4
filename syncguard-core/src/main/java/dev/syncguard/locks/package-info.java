/** The locks of a guard behind {@link java.util.concurrent.locks.Lock}, for code that takes one. */
@NullMarked
package dev.syncguard.locks;

import org.jspecify.annotations.NullMarked;
