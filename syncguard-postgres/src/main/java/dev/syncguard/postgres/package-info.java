/**
 * Locks in a PostgreSQL database, on the connection pool that the application already has.
 *
 * <p>Two tables: one row for each lock, deleted by its release, and one counter for each key that was ever locked, never
 * deleted. Every operation is one statement that commits by itself, judged by the server's clock, which is read after the
 * row is locked.
 */
@NullMarked
package dev.syncguard.postgres;

import org.jspecify.annotations.NullMarked;
