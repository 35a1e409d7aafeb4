package dev.syncguard.spring.aop;

import dev.syncguard.spring.Locked;
import dev.syncguard.spring.ScheduledLock;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** Refuses beans whose locked methods cannot be locked, when they are created instead of at the first call, or never. */
public final class LockedBeanCheck implements BeanPostProcessor, Ordered {

    static final List<Class<? extends Annotation>> ANNOTATIONS = List.of(Locked.class, ScheduledLock.class);

    private final LockedMethods methods;
    private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();

    /**
     * Creates the check.
     *
     * @param methods reads annotations
     */
    public LockedBeanCheck(LockedMethods methods) {
        this.methods = methods;
    }

    /** After the proxies are made. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    /** Before a class that is final fails to be proxied without a word about why it should be. */
    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
        if (AnnotationUtils.isCandidateClass(type, ANNOTATIONS) && checked.add(type)) {
            for (Method method : annotated(type)) {
                methods.find(method, type).ifPresent(locked -> checkMethod(locked, type));
            }
        }
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (AopUtils.isJdkDynamicProxy(bean)) {
            Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
            for (Method method : annotated(type)) {
                methods.find(method, type).ifPresent(locked -> checkInterface(locked, bean));
            }
        }
        return bean;
    }

    private static Set<Method> annotated(Class<?> type) {
        Class<?> declared = ClassUtils.getUserClass(type);
        return MethodIntrospector.selectMethods(declared, LockedMethods::isAnnotated);
    }

    private static void checkMethod(LockedMethod locked, Class<?> type) {
        Method method = locked.method();
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers)) {
            throw refusal(locked, "it is private, so that no call of it goes through the proxy that takes the lock");
        }
        if (Modifier.isStatic(modifiers)) {
            throw refusal(locked, "it is static and belongs to no bean");
        }
        if (Modifier.isFinal(modifiers)) {
            throw refusal(locked, "it is final, so that the proxy that takes the lock cannot override it");
        }
        if (Modifier.isFinal(type.getModifiers()) && type.getInterfaces().length == 0) {
            throw refusal(locked, "its class is final, so that no proxy can take the lock");
        }
    }

    private static void checkInterface(LockedMethod locked, Object proxy) {
        Method method = locked.method();
        if (!ClassUtils.hasMethod(proxy.getClass(), method.getName(), method.getParameterTypes())) {
            throw refusal(
                    locked,
                    "the proxy that takes the lock has only the methods of interfaces, and this is none; declare it in one,"
                            + " or set spring.aop.proxy-target-class=true");
        }
    }

    private static LockedMethodException refusal(LockedMethod locked, String reason) {
        return new LockedMethodException(locked.description(), reason);
    }
}
