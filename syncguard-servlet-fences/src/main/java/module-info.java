/** Fences in requests to a servlet container. */
module dev.syncguard.fence.servlet {
    requires transitive dev.syncguard.fence.http;
    requires transitive jakarta.servlet;
    requires static org.jspecify;

    exports dev.syncguard.fence.servlet;
}
