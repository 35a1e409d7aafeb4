/** From {@code --backend} to a store; one class for each scheme, loaded when it is used. */
@NullMarked
package dev.syncguard.cli.store;

import org.jspecify.annotations.NullMarked;
