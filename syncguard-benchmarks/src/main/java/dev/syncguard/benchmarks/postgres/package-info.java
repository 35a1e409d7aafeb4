/** PostgreSQL: our backend, bare statements, and other libraries on the same server. */
@NullMarked
package dev.syncguard.benchmarks.postgres;

import org.jspecify.annotations.NullMarked;
