/** Measures how soon locks are granted again after a failure, and what a hundred thousand timeouts leave behind. */
@NullMarked
package dev.syncguard.faults.recovery;

import org.jspecify.annotations.NullMarked;
