/** Draws what a run saw, on a page that needs nothing else. */
@NullMarked
package dev.syncguard.faults.report;

import org.jspecify.annotations.NullMarked;
