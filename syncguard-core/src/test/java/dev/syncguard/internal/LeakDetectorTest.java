package dev.syncguard.internal;

import static org.awaitility.Awaitility.await;

import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.MemoryLockBackend;
import java.lang.reflect.Field;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LeakDetectorTest {

    private static final LockOptions RENEWED = LockOptions.defaults().autoExtend();

    @Test
    @DisplayName("leases that were released leave nothing behind once they are garbage")
    void forgetsReleased() throws ReflectiveOperationException {
        try (SyncGuard guard = SyncGuard.of(new MemoryLockBackend())) {
            Set<?> tracked = tracked(guard);
            for (int i = 0; i < 2000; i++) {
                guard.run("k", RENEWED, lease -> {});
            }
            await().until(() -> {
                System.gc();
                guard.run("k", RENEWED, lease -> {});
                return tracked.size() < 100;
            });
        }
    }

    private static Set<?> tracked(SyncGuard guard) throws ReflectiveOperationException {
        AcquireContext context = (AcquireContext) value(((Guard) value(guard, "guard")).calls(), "context");
        return (Set<?>) value(context.leaks(), "tracked");
    }

    private static Object value(Object object, String name) throws ReflectiveOperationException {
        Field field = object.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
    }
}
