/**
 * Meters of locks: {@link dev.syncguard.micrometer.MeteredLockBackend} wraps a backend and measures each operation of the store
 * and the life of each lease of the guard on it. The module's README lists names, tags and units.
 */
@NullMarked
package dev.syncguard.micrometer;

import org.jspecify.annotations.NullMarked;
