package dev.syncguard.redis;

/** Which key of a lock leaves its node first when the slot moves. */
enum SlotOrder {
    INDEX_FIRST,
    LOCK_FIRST;

    boolean isFirst(String key) {
        return key.contains(":id:") == (this == INDEX_FIRST) && !key.contains(":fence:");
    }
}
