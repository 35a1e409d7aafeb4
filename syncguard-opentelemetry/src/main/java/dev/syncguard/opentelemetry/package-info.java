/**
 * Spans of locks: {@link dev.syncguard.opentelemetry.TracedLockBackend} wraps a backend and traces each acquire of the guard on
 * it, and the time that each lease is held. The module's README lists names and attributes.
 */
@NullMarked
package dev.syncguard.opentelemetry;

import org.jspecify.annotations.NullMarked;
