/** The auto-configuration of locks in Spring Boot. */
@NullMarked
package dev.syncguard.spring.boot;

import org.jspecify.annotations.NullMarked;
