/**
 * Locks for Reactor: {@link dev.syncguard.reactor.ReactorSyncGuard} holds a lock while a {@code Mono} or {@code Flux} runs.
 */
@NullMarked
package dev.syncguard.reactor;

import org.jspecify.annotations.NullMarked;
