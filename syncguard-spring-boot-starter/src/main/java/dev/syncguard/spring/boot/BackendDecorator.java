package dev.syncguard.spring.boot;

import dev.syncguard.spi.LockBackend;

/** Wraps the store before the guard is built on it, for example to measure. */
@FunctionalInterface
interface BackendDecorator {

    LockBackend decorate(LockBackend backend);
}
