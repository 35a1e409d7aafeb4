package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentMask;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and writes fields by their paths: simple names or names in backticks, joined by dots. */
final class Fields {

    static final String NAME = "__name__";

    private static final Pattern SEGMENT = Pattern.compile("(?:`((?:[^`\\\\]|\\\\.)+)`|([^.`]+))(\\.|$)");

    private Fields() {}

    static Optional<Value> get(Document document, String path) {
        if (path.equals(NAME)) {
            return Optional.of(
                    Value.newBuilder().setReferenceValue(document.getName()).build());
        }
        return get(document.getFieldsMap(), split(path));
    }

    static Optional<Value> get(Map<String, Value> fields, List<String> path) {
        Value value = fields.get(path.get(0));
        if (path.size() == 1 || value == null) {
            return Optional.ofNullable(value);
        }
        return get(value.getMapValue().getFieldsMap(), path.subList(1, path.size()));
    }

    /** Sets a field, or removes it if there is no value. What lies on the way becomes a map. */
    static void set(Map<String, Value> fields, List<String> path, @Nullable Value value) {
        String first = path.get(0);
        if (path.size() > 1) {
            Value old = fields.getOrDefault(first, Value.getDefaultInstance());
            if (value == null && !old.hasMapValue()) {
                return;
            }
            Map<String, Value> inner = new HashMap<>(old.getMapValue().getFieldsMap());
            set(inner, path.subList(1, path.size()), value);
            fields.put(
                    first,
                    Value.newBuilder()
                            .setMapValue(MapValue.newBuilder().putAllFields(inner))
                            .build());
        } else if (value == null) {
            fields.remove(first);
        } else {
            fields.put(first, value);
        }
    }

    /** Returns the document with the named fields only. */
    static Document project(Document document, Iterable<String> paths) {
        Map<String, Value> kept = new HashMap<>();
        for (String path : paths) {
            if (!path.equals(NAME)) {
                List<String> segments = split(path);
                get(document.getFieldsMap(), segments).ifPresent(value -> set(kept, segments, value));
            }
        }
        return document.toBuilder().clearFields().putAllFields(kept).build();
    }

    static Document project(Document document, boolean masked, DocumentMask mask) {
        return masked ? project(document, mask.getFieldPathsList()) : document;
    }

    static List<String> split(String path) {
        List<String> segments = new ArrayList<>();
        Matcher matcher = SEGMENT.matcher(path);
        int end = 0;
        while (end < path.length() && matcher.find(end) && matcher.start() == end) {
            String quoted = matcher.group(1);
            segments.add(quoted == null ? matcher.group(2) : quoted.replaceAll("\\\\(.)", "$1"));
            end = matcher.end();
        }
        if (end < path.length() || path.isEmpty() || path.endsWith(".")) {
            throw Errors.invalid("Invalid property path \"" + path + "\".");
        }
        return segments;
    }
}
