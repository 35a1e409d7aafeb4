/** SyncGuard on Cloud Firestore: locks where the application already lives. */
module dev.syncguard.firestore {
    requires transitive dev.syncguard.core;
    requires transitive google.cloud.firestore;
    requires google.cloud.core;
    requires gax;
    requires transitive com.google.api.apicommon;
    requires com.google.common;
    requires io.grpc;
    requires static org.jspecify;

    exports dev.syncguard.firestore;
}
