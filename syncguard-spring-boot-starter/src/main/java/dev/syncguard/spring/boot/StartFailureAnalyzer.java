package dev.syncguard.spring.boot;

import dev.syncguard.spring.aop.LockedMethodException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** Says what to do when the application cannot start because of its locks. */
final class StartFailureAnalyzer implements FailureAnalyzer {

    private static final int MOST_CAUSES = 50;

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            FailureAnalysis analysis = analysisOf(cause);
            if (analysis != null) {
                return analysis;
            }
            cause = cause.getCause();
        }
        return null;
    }

    private static @Nullable FailureAnalysis analysisOf(Throwable cause) {
        if (cause instanceof BackendChoiceException choice) {
            return new FailureAnalysis(String.valueOf(choice.getMessage()), choice.action(), choice);
        }
        if (cause instanceof InvalidSettingException setting) {
            return new FailureAnalysis(
                    String.valueOf(setting.getMessage()), "Change the property " + setting.property() + ".", setting);
        }
        if (cause instanceof LockedMethodException method) {
            return new FailureAnalysis(
                    String.valueOf(method.getMessage()), "Change the method or its annotation.", method);
        }
        return null;
    }
}
