package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.ArrayValue;
import com.google.firestore.v1.DocumentTransform.FieldTransform;
import com.google.firestore.v1.Value;
import com.google.protobuf.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes to single fields that the server computes. */
final class Transforms {

    private static final Value NULL = Value.newBuilder().setNullValueValue(0).build();

    private Transforms() {}

    /** Applies one and returns what the caller is told: the new value, or null for the operations on arrays. */
    static Value apply(Map<String, Value> fields, FieldTransform transform, Timestamp time) {
        List<String> path = Fields.split(transform.getFieldPath());
        Value old = Fields.get(fields, path).orElse(null);
        Value now = compute(old, transform, time);
        Fields.set(fields, path, now);
        return now.hasArrayValue() ? NULL : now;
    }

    private static Value compute(@Nullable Value old, FieldTransform transform, Timestamp time) {
        return switch (transform.getTransformTypeCase()) {
            case SET_TO_SERVER_VALUE ->
                Value.newBuilder()
                        .setTimestampValue(ServerClock.milliseconds(time))
                        .build();
            case INCREMENT -> sum(old, transform.getIncrement());
            case MAXIMUM -> extreme(old, transform.getMaximum(), 1);
            case MINIMUM -> extreme(old, transform.getMinimum(), -1);
            case APPEND_MISSING_ELEMENTS -> appended(elements(old), transform.getAppendMissingElements());
            case REMOVE_ALL_FROM_ARRAY -> removed(elements(old), transform.getRemoveAllFromArray());
            default -> throw Errors.invalid("A field transform without a type.");
        };
    }

    /** Whole numbers stop at their limits; what is no number counts as absent. */
    private static Value sum(@Nullable Value old, Value by) {
        if (old == null || !Values.isNumber(old)) {
            return by;
        }
        if (old.hasDoubleValue() || by.hasDoubleValue()) {
            return Value.newBuilder()
                    .setDoubleValue(Values.approximately(old) + Values.approximately(by))
                    .build();
        }
        long sum = old.getIntegerValue() + by.getIntegerValue();
        boolean overflow = ((old.getIntegerValue() ^ sum) & (by.getIntegerValue() ^ sum)) < 0;
        long limit = by.getIntegerValue() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        return Value.newBuilder().setIntegerValue(overflow ? limit : sum).build();
    }

    private static Value extreme(@Nullable Value old, Value other, int sign) {
        if (old == null || !Values.isNumber(old)) {
            return other;
        }
        return Values.compare(old, other) * sign >= 0 ? old : other;
    }

    private static List<Value> elements(@Nullable Value old) {
        return old == null ? List.of() : old.getArrayValue().getValuesList();
    }

    private static Value appended(List<Value> old, ArrayValue more) {
        List<Value> all = new ArrayList<>(old);
        for (Value value : more.getValuesList()) {
            if (all.stream().noneMatch(present -> Values.equal(present, value))) {
                all.add(value);
            }
        }
        return array(all);
    }

    private static Value removed(List<Value> old, ArrayValue unwanted) {
        return array(old.stream()
                .filter(value -> unwanted.getValuesList().stream().noneMatch(other -> Values.equal(other, value)))
                .toList());
    }

    private static Value array(List<Value> values) {
        return Value.newBuilder()
                .setArrayValue(ArrayValue.newBuilder().addAllValues(values))
                .build();
    }
}
