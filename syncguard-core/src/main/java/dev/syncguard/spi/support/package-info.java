/**
 * Tools for those who write a backend: what every store needs and none should do in its own way.
 *
 * <p>Applications have no use for it, and nothing in {@link dev.syncguard.spi} depends on it: a backend may do without. The
 * algorithms that the contract itself prescribes (liveness, fences, storage keys, lock ids) are in that package.
 */
@NullMarked
package dev.syncguard.spi.support;

import org.jspecify.annotations.NullMarked;
