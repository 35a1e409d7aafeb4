/** Real servers for tests, on free loopback ports, without Docker. */
@NullMarked
package dev.syncguard.testbed;

import org.jspecify.annotations.NullMarked;
