package dev.syncguard.spring.boot;

import dev.syncguard.spi.LockBackend;
import java.util.List;

/** A kind of store: how to open it by its URL, or by a bean that the application has. */
interface BackendSource {

    /** Returns the word for {@code syncguard.backend}. */
    String name();

    /** Returns whether a URL leads to such a store. */
    boolean accepts(String url);

    /** Opens the store of a URL; what is opened is closed with the backend. */
    LockBackend open(String url);

    /** Returns the beans that lead to such a store. */
    default BeanCandidates beans() {
        return BeanCandidates.NONE;
    }

    /** Uses a bean of the application, which stays open. */
    default LockBackend use(String bean) {
        throw new IllegalStateException("no bean leads to a store of " + name() + ": " + bean);
    }

    /** Returns the kinds of beans that these sources can use. */
    static List<String> types(List<BackendSource> sources) {
        return sources.stream()
                .map(source -> source.beans().type())
                .filter(type -> !type.isEmpty())
                .toList();
    }
}
