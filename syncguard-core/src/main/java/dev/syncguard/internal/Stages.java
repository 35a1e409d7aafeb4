package dev.syncguard.internal;

import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Stages whose next step handles every failure itself. */
final class Stages {

    private Stages() {}

    /** Runs a step that does not throw when a stage completes. */
    static <T extends @Nullable Object> void whenDone(
            CompletionStage<T> stage, BiConsumer<? super T, ? super @Nullable Throwable> step) {
        stage.whenComplete(step);
    }
}
