package dev.syncguard.spring;

import dev.syncguard.SyncGuardBuilder;

/**
 * Changes settings of the guard that no property can name, such as an executor or a handler. A bean of this type is called
 * after the properties were applied; several are called in their order.
 *
 * <pre>{@code
 * @Bean
 * SyncGuardCustomizer completion(Executor executor) {
 *     return builder -> builder.executor(executor);
 * }
 * }</pre>
 */
@FunctionalInterface
public interface SyncGuardCustomizer {

    /**
     * Changes the settings of the guard before it is built.
     *
     * @param builder has the properties already
     */
    void customize(SyncGuardBuilder builder);
}
