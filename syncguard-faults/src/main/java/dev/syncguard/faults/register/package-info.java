/** The resource that the locks protect: a process of its own that refuses stale fences. */
@NullMarked
package dev.syncguard.faults.register;

import org.jspecify.annotations.NullMarked;
