/** Waiting, renewal, compensation and disposal. Not exported. */
@NullMarked
package dev.syncguard.internal;

import org.jspecify.annotations.NullMarked;
