package dev.syncguard.spi;

import dev.syncguard.AbortSignal;
import dev.syncguard.Finding;
import java.util.List;

/** Looks for settings of the store that break what a lock promises. */
public interface StoreDiagnostics {

    /**
     * Inspects the store.
     *
     * @param signal cancels before a request is sent
     * @return what was found, including what is as it should be
     */
    List<Finding> inspect(AbortSignal signal);
}
