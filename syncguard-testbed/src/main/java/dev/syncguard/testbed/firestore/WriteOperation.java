package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentTransform.FieldTransform;
import com.google.firestore.v1.Precondition;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import com.google.firestore.v1.WriteResult;
import com.google.protobuf.Timestamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One write of a commit.
 *
 * @param name the document
 * @param fullName the same as the caller spelt it
 * @param write what to do to it
 */
record WriteOperation(DocumentName name, String fullName, Write write) {

    private static final int MAX_DOCUMENT_BYTES = 1_048_576;

    /**
     * What the write makes of a document.
     *
     * @param document as it is then, if it is still there
     * @param result for the caller
     */
    record Outcome(@Nullable Document document, WriteResult result) {}

    static WriteOperation of(ResourceRoot root, Write write) {
        String fullName = switch (write.getOperationCase()) {
            case UPDATE -> write.getUpdate().getName();
            case DELETE -> write.getDelete();
            case TRANSFORM -> write.getTransform().getDocument();
            default -> throw Errors.invalid("A write without an operation.");
        };
        return new WriteOperation(DocumentName.parse(root, fullName), fullName, write);
    }

    Outcome apply(@Nullable Document before, Timestamp time) {
        check(write.getCurrentDocument(), before);
        if (write.hasDelete()) {
            return new Outcome(null, WriteResult.getDefaultInstance());
        }
        Map<String, Value> fields = new HashMap<>(before == null ? Map.of() : before.getFieldsMap());
        if (write.hasUpdate()) {
            update(fields);
        }
        List<Value> transformed = new ArrayList<>();
        for (FieldTransform transform : transforms()) {
            transformed.add(Transforms.apply(fields, transform, time));
        }
        Document after = stored(before, fields, time);
        return new Outcome(
                after,
                WriteResult.newBuilder()
                        .setUpdateTime(after.getUpdateTime())
                        .addAllTransformResults(transformed)
                        .build());
    }

    private List<FieldTransform> transforms() {
        return write.hasTransform() ? write.getTransform().getFieldTransformsList() : write.getUpdateTransformsList();
    }

    private void update(Map<String, Value> fields) {
        Map<String, Value> given = write.getUpdate().getFieldsMap();
        if (!write.hasUpdateMask()) {
            fields.clear();
            fields.putAll(given);
            return;
        }
        for (String path : write.getUpdateMask().getFieldPathsList()) {
            List<String> segments = Fields.split(path);
            Fields.set(fields, segments, Fields.get(given, segments).orElse(null));
        }
    }

    /** A write that changes nothing keeps the time of the last one that did. */
    private Document stored(@Nullable Document before, Map<String, Value> fields, Timestamp time) {
        if (before != null && before.getFieldsMap().equals(fields)) {
            return before;
        }
        Document after = Document.newBuilder()
                .setName(fullName)
                .putAllFields(fields)
                .setCreateTime(before == null ? time : before.getCreateTime())
                .setUpdateTime(time)
                .build();
        if (after.getSerializedSize() > MAX_DOCUMENT_BYTES) {
            throw Errors.invalid("Document \"" + fullName + "\" cannot be written because its size exceeds "
                    + MAX_DOCUMENT_BYTES + " bytes.");
        }
        return after;
    }

    private void check(Precondition precondition, @Nullable Document before) {
        switch (precondition.getConditionTypeCase()) {
            case EXISTS -> checkExists(precondition.getExists(), before);
            case UPDATE_TIME -> {
                if (before == null || !before.getUpdateTime().equals(precondition.getUpdateTime())) {
                    throw Errors.failedPrecondition(
                            "The stored version of \"" + fullName + "\" does not match the required one.");
                }
            }
            case CONDITIONTYPE_NOT_SET -> {}
        }
    }

    private void checkExists(boolean wanted, @Nullable Document before) {
        if (wanted && before == null) {
            throw Errors.notFound("No document to update: " + fullName);
        }
        if (!wanted && before != null) {
            throw Errors.alreadyExists("Document already exists: " + fullName);
        }
    }
}
