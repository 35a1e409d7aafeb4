/** Tests of locked methods without a store. */
@NullMarked
package dev.syncguard.spring.test;

import org.jspecify.annotations.NullMarked;
