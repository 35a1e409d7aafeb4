/** Locks for Kotlin's coroutines. */
module dev.syncguard.kotlin {
    requires transitive dev.syncguard.core;
    requires transitive kotlin.stdlib;
    requires kotlinx.coroutines.core;

    exports dev.syncguard.kotlin;
}
