/** Locks around methods of beans. */
@NullMarked
package dev.syncguard.spring.aop;

import org.jspecify.annotations.NullMarked;
