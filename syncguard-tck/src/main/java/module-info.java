/** The lock contract as JUnit tests: extend {@link dev.syncguard.tck.LockBackendTck} to run it on a backend. */
module dev.syncguard.tck {
    requires transitive dev.syncguard.core;
    requires transitive org.junit.jupiter.api;
    requires java.logging;
    requires org.assertj.core;
    requires org.junit.jupiter.params;
    requires static transitive org.jspecify;

    exports dev.syncguard.tck;

    opens dev.syncguard.tck to
            org.junit.platform.commons;
}
