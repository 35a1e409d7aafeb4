/**
 * The contract of a lock backend as tests. {@link dev.syncguard.tck.LockBackendTck} is what a backend's author extends;
 * {@link dev.syncguard.tck.StoreProbe} lets the tests look into the store without the code under test.
 *
 * <p>Every test carries the id of the {@link dev.syncguard.tck.Rule} it holds; {@code docs/spec/rules.md} lists them all.
 */
@NullMarked
package dev.syncguard.tck;

import org.jspecify.annotations.NullMarked;
