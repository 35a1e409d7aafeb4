package dev.syncguard.spring.test.application;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application with a component that no test of locks wants. */
@SpringBootApplication
public class Application {}
