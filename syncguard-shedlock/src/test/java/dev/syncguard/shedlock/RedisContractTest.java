package dev.syncguard.shedlock;

import dev.syncguard.SyncGuard;
import dev.syncguard.redis.RedisLockBackend;
import dev.syncguard.testbed.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

@Tag("once")
class RedisContractTest extends ShedLockContract {

    private static final RedisServer SERVER = RedisServer.start();
    private static final SyncGuard GUARD = SyncGuard.of(RedisLockBackend.connect(SERVER.url()));
    private static final SyncGuard OBSERVER = SyncGuard.of(RedisLockBackend.connect(SERVER.url()));

    RedisContractTest() {
        super(GUARD, OBSERVER);
    }

    @AfterAll
    static void stop() {
        GUARD.close();
        OBSERVER.close();
        SERVER.close();
    }
}
