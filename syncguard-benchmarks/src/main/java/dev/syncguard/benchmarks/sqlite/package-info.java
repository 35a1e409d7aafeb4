/** SQLite: one file, several processes. */
@NullMarked
package dev.syncguard.benchmarks.sqlite;

import org.jspecify.annotations.NullMarked;
