package dev.syncguard.spring.test.application;

import org.springframework.stereotype.Component;

/** Fails a test that brings it in. */
@Component("component")
class Unwanted {

    Unwanted() {
        throw new IllegalStateException("this component was not imported");
    }
}
