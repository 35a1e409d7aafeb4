/**
 * What the author of a backend implements, and the algorithms that every backend shares.
 *
 * <p>{@link dev.syncguard.spi.LockBackend} is the contract; each MUST carries the id of its rule. A backend makes single
 * attempts only: waiting, retries, renewal and compensation are done by the caller.
 */
@NullMarked
package dev.syncguard.spi;

import org.jspecify.annotations.NullMarked;
