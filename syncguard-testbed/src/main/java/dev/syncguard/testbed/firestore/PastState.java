package dev.syncguard.testbed.firestore;

import com.google.protobuf.Timestamp;

/**
 * A state of the documents that may not be the newest.
 *
 * @param version which
 * @param time what readers are told
 */
record PastState(long version, Timestamp time) {}
