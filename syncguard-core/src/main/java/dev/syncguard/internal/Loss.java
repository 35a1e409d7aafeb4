package dev.syncguard.internal;

import dev.syncguard.LeaseLostException.Reason;
import dev.syncguard.LockException;
import org.jspecify.annotations.Nullable;

/**
 * Why a lease was lost.
 *
 * @param detail what is known about it, for the message; null if nothing more than the reason says
 * @param cause the last failure of a renewal
 */
record Loss(
        Reason reason, @Nullable String detail, @Nullable LockException cause) {}
