package dev.syncguard.testbed.firestore;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Where a document is: collection id, document id, collection id, …
 *
 * @param segments below the root
 */
record DocumentName(List<String> segments) implements Comparable<DocumentName> {

    private static final int MAX_ID_BYTES = 1500;

    /** Reads a document's full name and refuses what the service refuses. */
    static DocumentName parse(ResourceRoot root, String name) {
        List<String> segments = root.relative(name);
        if (segments.isEmpty() || segments.size() % 2 != 0) {
            throw Errors.invalid("Document name \"" + name + "\" does not name a document.");
        }
        segments.forEach(DocumentName::checkId);
        return new DocumentName(segments);
    }

    static void checkId(String id) {
        if (id.isEmpty()) {
            throw Errors.invalid("Resource id is empty.");
        }
        if (id.equals(".") || id.equals("..") || id.matches("(?s)__.*__")) {
            throw Errors.invalid("Resource id \"" + id + "\" is invalid because it is reserved.");
        }
        if (id.getBytes(StandardCharsets.UTF_8).length > MAX_ID_BYTES) {
            throw Errors.invalid("Resource id is longer than " + MAX_ID_BYTES + " bytes.");
        }
    }

    String collectionId() {
        return segments.get(segments.size() - 2);
    }

    boolean startsWith(List<String> prefix) {
        return segments.size() >= prefix.size()
                && segments.subList(0, prefix.size()).equals(prefix);
    }

    /** By segments, each by its UTF-8 bytes. */
    @Override
    public int compareTo(DocumentName other) {
        int common = Math.min(segments.size(), other.segments.size());
        for (int i = 0; i < common; i++) {
            int order = Values.compareText(segments.get(i), other.segments.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(segments.size(), other.segments.size());
    }
}
