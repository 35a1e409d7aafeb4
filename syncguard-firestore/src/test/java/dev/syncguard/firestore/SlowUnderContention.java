package dev.syncguard.firestore;

import java.util.Set;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Leaves out, visibly, what the emulator cannot do in reasonable time: it lets transactions that meet wait for two seconds,
 * and needs a minute for 24 cycles of eight threads, by hand as with this library. They run on the stand-in.
 */
final class SlowUnderContention implements ExecutionCondition {

    private static final Set<String> STORMS =
            Set.of("oneWinner", "excludesEachOther", "fencesInOrder", "sameGrant", "oneRelease");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        boolean storm = context.getTestMethod()
                .filter(method -> STORMS.contains(method.getName()))
                .isPresent();
        return storm
                ? ConditionEvaluationResult.disabled("too many at once for the emulator; runs on the stand-in")
                : ConditionEvaluationResult.enabled("");
    }
}
