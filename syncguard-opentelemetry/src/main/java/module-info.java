/** OpenTelemetry spans of locks. */
module dev.syncguard.opentelemetry {
    requires transitive dev.syncguard.core;
    requires transitive io.opentelemetry.api;
    requires io.opentelemetry.context;
    requires static org.jspecify;

    exports dev.syncguard.opentelemetry;
}
