package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.StructuredQuery.CompositeFilter;
import com.google.firestore.v1.StructuredQuery.FieldFilter;
import com.google.firestore.v1.StructuredQuery.Filter;
import com.google.firestore.v1.StructuredQuery.UnaryFilter;
import com.google.firestore.v1.Value;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/** Turns a query's filter into a test of documents. A document without the field passes no filter on it. */
final class Filters {

    private Filters() {}

    static Predicate<Document> of(Filter filter) {
        return switch (filter.getFilterTypeCase()) {
            case COMPOSITE_FILTER -> of(filter.getCompositeFilter());
            case FIELD_FILTER -> of(filter.getFieldFilter());
            case UNARY_FILTER -> of(filter.getUnaryFilter());
            case FILTERTYPE_NOT_SET -> document -> true;
        };
    }

    private static Predicate<Document> of(CompositeFilter filter) {
        List<Predicate<Document>> parts =
                filter.getFiltersList().stream().map(Filters::of).toList();
        return switch (filter.getOp()) {
            case AND -> document -> parts.stream().allMatch(part -> part.test(document));
            case OR -> document -> parts.stream().anyMatch(part -> part.test(document));
            default -> throw Errors.invalid("A composite filter without an operator.");
        };
    }

    private static Predicate<Document> of(UnaryFilter filter) {
        Predicate<Value> test = switch (filter.getOp()) {
            case IS_NULL -> Value::hasNullValue;
            case IS_NOT_NULL -> value -> !value.hasNullValue();
            case IS_NAN -> Values::isNaN;
            case IS_NOT_NAN -> value -> !value.hasNullValue() && !Values.isNaN(value);
            default -> throw Errors.invalid("A unary filter without an operator.");
        };
        String path = filter.getField().getFieldPath();
        return document -> Fields.get(document, path).filter(test).isPresent();
    }

    private static Predicate<Document> of(FieldFilter filter) {
        BiPredicate<Value, Value> test = test(filter.getOp());
        String path = filter.getField().getFieldPath();
        Value operand = filter.getValue();
        return document -> Fields.get(document, path)
                .filter(value -> test.test(value, operand))
                .isPresent();
    }

    private static BiPredicate<Value, Value> test(FieldFilter.Operator operator) {
        return switch (operator) {
            case EQUAL -> Values::equal;
            case NOT_EQUAL -> (value, operand) -> !value.hasNullValue() && !Values.equal(value, operand);
            case LESS_THAN -> range(order -> order < 0);
            case LESS_THAN_OR_EQUAL -> range(order -> order <= 0);
            case GREATER_THAN -> range(order -> order > 0);
            case GREATER_THAN_OR_EQUAL -> range(order -> order >= 0);
            case IN -> Filters::in;
            case NOT_IN -> (value, operand) -> !value.hasNullValue() && !in(value, operand);
            case ARRAY_CONTAINS -> (value, operand) -> in(operand, value);
            case ARRAY_CONTAINS_ANY ->
                (value, operand) ->
                        operand.getArrayValue().getValuesList().stream().anyMatch(wanted -> in(wanted, value));
            default -> throw Errors.invalid("A field filter without an operator.");
        };
    }

    private static BiPredicate<Value, Value> range(Predicate<Integer> order) {
        return (value, operand) -> Values.comparable(value, operand) && order.test(Values.compare(value, operand));
    }

    private static boolean in(Value value, Value array) {
        return array.getArrayValue().getValuesList().stream().anyMatch(element -> Values.equal(element, value));
    }
}
