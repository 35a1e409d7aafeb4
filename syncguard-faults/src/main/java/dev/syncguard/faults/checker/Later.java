package dev.syncguard.faults.checker;

import java.util.List;

/** Grants that certainly came after another one. */
final class Later {

    private Later() {}

    /** Whether the key was granted again, after this grant and before the given time. */
    static boolean isGranted(List<Grant> grants, Grant grant, long before) {
        for (int i = grants.size() - 1; i >= 0 && grants.get(i).grantedAt() > grant.grantedAt(); i--) {
            Grant later = grants.get(i);
            if (later.began() > grant.grantedAt() && later.grantedAt() < before) {
                return true;
            }
        }
        return false;
    }
}
