package dev.syncguard.firestore;

import com.google.cloud.firestore.DocumentSnapshot;
import dev.syncguard.Fence;
import java.util.Map;

/** The fence counter of a key: 15 digits as text. Nothing in this module deletes one. */
final class CounterDocument {

    private static final String FENCE = "fence";

    private CounterDocument() {}

    /** Returns the number, 0 if there is no document, -1 if it is damaged, one above the limit if it is too long. */
    static long read(DocumentSnapshot snapshot) {
        if (!snapshot.exists()) {
            return 0;
        }
        String text = snapshot.get(FENCE) instanceof String stored ? stored : "";
        if (text.matches("[1-9][0-9]{15,}")) {
            return Fence.MAX.value() + 1;
        }
        return text.matches("[0-9]{15}") ? Long.parseLong(text) : -1;
    }

    /** Leaves other fields alone: another client may keep the key there for debugging. */
    static void write(ConditionalWrites writes, DocumentSnapshot counter, Fence fence) {
        writes.put(counter, Map.of(FENCE, fence.toString()));
    }
}
