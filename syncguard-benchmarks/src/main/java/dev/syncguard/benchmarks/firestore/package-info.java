/** Firestore: the official client against a stand-in inside this process. */
@NullMarked
package dev.syncguard.benchmarks.firestore;

import org.jspecify.annotations.NullMarked;
