/** The stores under test: how each is started, broken, healed and looked into. */
@NullMarked
package dev.syncguard.faults.store;

import org.jspecify.annotations.NullMarked;
