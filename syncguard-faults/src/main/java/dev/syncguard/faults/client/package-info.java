/** The processes that use locks: workloads on guards whose every step is written down. */
@NullMarked
package dev.syncguard.faults.client;

import org.jspecify.annotations.NullMarked;
