package dev.syncguard.spring.aop;

import dev.syncguard.SyncGuard;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.annotation.AnnotationUtils;

/** Puts locks around the annotated methods of beans. */
public final class LockAdvisor extends StaticMethodMatcherPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the advisor.
     *
     * @param methods reads annotations
     * @param guard gives the guard when the first method is called
     * @param order lower is further outside
     */
    public LockAdvisor(LockedMethods methods, Supplier<SyncGuard> guard, int order) {
        super(new LockInterceptor(methods, guard));
        setOrder(order);
        ClassFilter candidates = type -> AnnotationUtils.isCandidateClass(type, LockedBeanCheck.ANNOTATIONS);
        setClassFilter(candidates);
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return LockedMethods.isAnnotated(method)
                || LockedMethods.isAnnotated(AopUtils.getMostSpecificMethod(method, targetClass));
    }
}
