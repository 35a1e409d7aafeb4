/**
 * Locks in Cloud Firestore.
 *
 * <p>Each lock is a document of the collection {@code locks}, its id the key; each key that was ever locked has a document
 * in {@code fence_counters} that counts the grants and is never deleted. Acquire, release and extend read, and commit on
 * condition that nothing they read has changed. The clients' clocks decide when a lock expires; every operation compares
 * them with Firestore's own time, and a clock that is too far off is refused.
 */
@NullMarked
package dev.syncguard.firestore;

import org.jspecify.annotations.NullMarked;
