/**
 * The machinery of the Firestore stand-in: documents, locks and transactions, queries, listeners, and the gRPC service
 * on top of them.
 *
 * <p>All state is guarded by the one lock of {@code Database}. Read-write transactions are pessimistic, as the service's
 * server client libraries see them: a read takes a shared lock, which a later commit of somebody else waits for.
 */
@NullMarked
package dev.syncguard.testbed.firestore;

import org.jspecify.annotations.NullMarked;
