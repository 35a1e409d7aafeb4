/** Real servers for tests, on free loopback ports, without Docker. One that cannot start is a failure, never a skip. */
@NullMarked
package dev.syncguard.testbed;

import org.jspecify.annotations.NullMarked;
