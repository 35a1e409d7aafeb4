package dev.syncguard.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the rule of {@code docs/spec/rules.md} that a test holds. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Rule {

    /**
     * Returns the id of the rule.
     *
     * @return for example {@code REL-2}
     */
    String value();
}
