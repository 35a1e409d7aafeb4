/** Fences in HTTP requests. */
module dev.syncguard.fence.http {
    requires transitive dev.syncguard.core;
    requires transitive java.net.http;
    requires static org.jspecify;

    exports dev.syncguard.fence.http;
}
