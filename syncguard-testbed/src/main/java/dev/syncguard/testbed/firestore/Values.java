package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.ArrayValue;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Value;
import com.google.protobuf.ByteString;
import com.google.type.LatLng;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The order of values: first by type, then within it. */
final class Values {

    private static final Comparator<LatLng> BY_PLACE =
            Comparator.comparingDouble(LatLng::getLatitude).thenComparingDouble(LatLng::getLongitude);

    private Values() {}

    static int compare(Value a, Value b) {
        if (rank(a) != rank(b)) {
            return Integer.compare(rank(a), rank(b));
        }
        return switch (a.getValueTypeCase()) {
            case BOOLEAN_VALUE -> Boolean.compare(a.getBooleanValue(), b.getBooleanValue());
            case INTEGER_VALUE, DOUBLE_VALUE -> compareNumbers(a, b);
            case TIMESTAMP_VALUE -> ServerClock.ORDER.compare(a.getTimestampValue(), b.getTimestampValue());
            case STRING_VALUE -> compareText(a.getStringValue(), b.getStringValue());
            case BYTES_VALUE ->
                ByteString.unsignedLexicographicalComparator().compare(a.getBytesValue(), b.getBytesValue());
            case REFERENCE_VALUE -> compareReferences(a.getReferenceValue(), b.getReferenceValue());
            case GEO_POINT_VALUE -> BY_PLACE.compare(a.getGeoPointValue(), b.getGeoPointValue());
            case ARRAY_VALUE -> compareArrays(a.getArrayValue(), b.getArrayValue());
            case MAP_VALUE -> compareMaps(a.getMapValue(), b.getMapValue());
            default -> 0;
        };
    }

    static boolean equal(Value a, Value b) {
        return compare(a, b) == 0;
    }

    /** Whether both are of types that range filters compare with each other. */
    static boolean comparable(Value a, Value b) {
        return rank(a) == rank(b);
    }

    static boolean isNaN(Value value) {
        return value.hasDoubleValue() && Double.isNaN(value.getDoubleValue());
    }

    static boolean isNumber(Value value) {
        return value.hasIntegerValue() || value.hasDoubleValue();
    }

    static int compareText(String a, String b) {
        return Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    private static int rank(Value value) {
        return switch (value.getValueTypeCase()) {
            case BOOLEAN_VALUE -> 1;
            case INTEGER_VALUE, DOUBLE_VALUE -> 2;
            case TIMESTAMP_VALUE -> 3;
            case STRING_VALUE -> 4;
            case BYTES_VALUE -> 5;
            case REFERENCE_VALUE -> 6;
            case GEO_POINT_VALUE -> 7;
            case ARRAY_VALUE -> 8;
            case MAP_VALUE -> 9;
            default -> 0;
        };
    }

    /** Not a number comes first; whole numbers and others are compared without loss. */
    private static int compareNumbers(Value a, Value b) {
        if (a.hasIntegerValue() && b.hasIntegerValue()) {
            return Long.compare(a.getIntegerValue(), b.getIntegerValue());
        }
        double x = approximately(a);
        double y = approximately(b);
        if (Double.isNaN(x) || Double.isNaN(y)) {
            return Boolean.compare(Double.isNaN(y), Double.isNaN(x));
        }
        if (Double.isInfinite(x) || Double.isInfinite(y)) {
            return Double.compare(x, y);
        }
        return exactly(a).compareTo(exactly(b));
    }

    static double approximately(Value number) {
        return number.hasDoubleValue() ? number.getDoubleValue() : number.getIntegerValue();
    }

    private static BigDecimal exactly(Value number) {
        return number.hasDoubleValue()
                ? new BigDecimal(number.getDoubleValue())
                : BigDecimal.valueOf(number.getIntegerValue());
    }

    private static int compareReferences(String a, String b) {
        return new DocumentName(List.of(a.split("/"))).compareTo(new DocumentName(List.of(b.split("/"))));
    }

    private static int compareArrays(ArrayValue a, ArrayValue b) {
        int common = Math.min(a.getValuesCount(), b.getValuesCount());
        for (int i = 0; i < common; i++) {
            int order = compare(a.getValues(i), b.getValues(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.getValuesCount(), b.getValuesCount());
    }

    private static int compareMaps(MapValue a, MapValue b) {
        Iterator<Map.Entry<String, Value>> left = sorted(a);
        Iterator<Map.Entry<String, Value>> right = sorted(b);
        while (left.hasNext() && right.hasNext()) {
            Map.Entry<String, Value> x = left.next();
            Map.Entry<String, Value> y = right.next();
            int byKey = compareText(x.getKey(), y.getKey());
            int order = byKey != 0 ? byKey : compare(x.getValue(), y.getValue());
            if (order != 0) {
                return order;
            }
        }
        return Boolean.compare(left.hasNext(), right.hasNext());
    }

    private static Iterator<Map.Entry<String, Value>> sorted(MapValue map) {
        Map<String, Value> sorted = new TreeMap<>(Values::compareText);
        sorted.putAll(map.getFieldsMap());
        return sorted.entrySet().iterator();
    }
}
