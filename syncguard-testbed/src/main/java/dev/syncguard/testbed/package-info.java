/** Real servers for tests. A server that cannot be started is a failure, never a skipped test. */
@NullMarked
package dev.syncguard.testbed;

import org.jspecify.annotations.NullMarked;
