package dev.syncguard.spring.boot;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.stream.Stream;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.context.annotation.Import;
import org.springframework.core.type.AnnotationMetadata;

/** An application with a pool, transactions, and locks in its database. */
@Retention(RetentionPolicy.RUNTIME)
@Import(LocksInPostgres.Selector.class)
public @interface LocksInPostgres {

    /** Takes the classes of the line of Spring Boot that is there, and the locks after them. */
    class Selector implements DeferredImportSelector {

        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            return Stream.concat(Contexts.jdbcClasses(), Stream.of(SyncGuardAutoConfiguration.class.getName()))
                    .toArray(String[]::new);
        }
    }
}
