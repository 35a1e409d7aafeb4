/**
 * Opt-in telemetry: {@link dev.syncguard.telemetry.TelemetryLockBackend} wraps a backend and reports each operation and
 * the life of each lease as a {@link dev.syncguard.telemetry.LockEvent}. Without it nothing is measured or hashed.
 */
@NullMarked
package dev.syncguard.telemetry;

import org.jspecify.annotations.NullMarked;
