package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.Document;
import org.jspecify.annotations.Nullable;

/**
 * What a commit does to one document.
 *
 * @param name which
 * @param before as it was, if it was there
 * @param after as it is then, if it is still there
 */
record Change(
        DocumentName name,
        @Nullable Document before,
        @Nullable Document after) {

    boolean touches(Query query) {
        return (before != null && query.matches(name, before)) || (after != null && query.matches(name, after));
    }
}
