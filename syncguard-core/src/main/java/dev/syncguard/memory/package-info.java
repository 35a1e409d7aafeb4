/**
 * Locks inside one process: {@link dev.syncguard.memory.MemoryLockBackend} with the real time, and
 * {@link dev.syncguard.memory.LockSimulator} with a time and faults that a test controls.
 */
@NullMarked
package dev.syncguard.memory;

import org.jspecify.annotations.NullMarked;
