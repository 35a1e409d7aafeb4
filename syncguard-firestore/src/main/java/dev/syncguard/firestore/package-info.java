/**
 * Locks in Cloud Firestore.
 *
 * <p>Each lock is a document of the collection {@code locks}, its id the key; each key that was ever locked has a document
 * in {@code fence_counters} that counts the grants and is never deleted. Acquire, release and extend are one transaction
 * each. The clients' clocks decide when a lock ends; every transaction compares them with Firestore's own time, and a
 * clock that is too far off is refused.
 */
@NullMarked
package dev.syncguard.firestore;

import org.jspecify.annotations.NullMarked;
