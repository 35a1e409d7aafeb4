/**
 * Locks in one SQLite file, for all processes of one machine; no service to run.
 *
 * <p>Two tables: one row for each lock, deleted by its release, and one counter for each key that was ever locked, never
 * deleted. Every operation that writes is one short transaction that takes the file's write lock first and reads this
 * machine's clock after that. Who writes next is decided by a queue of its own, because SQLite's waiting is not fair.
 */
@NullMarked
package dev.syncguard.sqlite;

import org.jspecify.annotations.NullMarked;
