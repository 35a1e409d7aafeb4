package dev.syncguard.spring;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** What a native image must keep for a locked method: itself, its fallback, and the getters that its key may use. */
class LockedHints implements ReflectiveProcessor {

    @Override
    public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
        if (!(element instanceof Method method)) {
            return;
        }
        hints.registerMethod(method, ExecutableMode.INVOKE);
        for (Class<?> parameter : method.getParameterTypes()) {
            if (!parameter.isPrimitive()) {
                hints.registerType(parameter, MemberCategory.INVOKE_PUBLIC_METHODS);
            }
        }
        Locked locked = AnnotatedElementUtils.findMergedAnnotation(method, Locked.class);
        if (locked != null && !locked.fallback().isEmpty()) {
            for (Method candidate : method.getDeclaringClass().getDeclaredMethods()) {
                if (candidate.getName().equals(locked.fallback())) {
                    hints.registerMethod(candidate, ExecutableMode.INVOKE);
                }
            }
        }
    }
}
