package dev.syncguard.internal;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Looks into objects: which of them are in the same state. */
final class Fields {

    private static final Map<Class<?>, List<Field>> KNOWN = new ConcurrentHashMap<>();

    private Fields() {}

    /** Returns the values of all fields, inherited ones too, that can change what an object does; waiters by their number. */
    static String of(@Nullable Object object, Class<?> type) {
        StringBuilder values = new StringBuilder();
        if (object != null) {
            fields(type).forEach(field -> values.append(value(object, field)).append(','));
        }
        return values.toString();
    }

    static @Nullable Object get(Object object, Class<?> type, String name) {
        return fields(type).stream()
                .filter(field -> field.getName().equals(name))
                .map(field -> value(object, field))
                .findFirst()
                .orElseThrow();
    }

    private static List<Field> fields(Class<?> type) {
        return KNOWN.computeIfAbsent(type, Fields::changing);
    }

    private static List<Field> changing(Class<?> type) {
        return Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
                .flatMap(part -> Stream.of(part.getDeclaredFields()))
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .peek(field -> field.setAccessible(true))
                .toList();
    }

    private static Object value(Object object, Field field) {
        try {
            Object value = field.get(object);
            boolean simple = value instanceof Number
                    || value instanceof Boolean
                    || value instanceof Waiter
                    || value instanceof Collection;
            return simple ? value : value == null ? "-" : "+";
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
