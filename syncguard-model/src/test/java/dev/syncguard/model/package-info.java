/** Runs TLC on the models of docs/model. */
@NullMarked
package dev.syncguard.model;

import org.jspecify.annotations.NullMarked;
