package dev.syncguard.redis;

import dev.syncguard.AbortSignal;
import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import dev.syncguard.spi.StoreDiagnostics;
import io.lettuce.core.api.StatefulConnection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Looks for what breaks the promise of a lock: settings of the servers, their clock, names that overlap. */
final class RedisDiagnostics implements StoreDiagnostics {

    private static final long DRIFT_LIMIT_MS = 500;

    private final RedisSession session;

    RedisDiagnostics(RedisSession session) {
        this.session = session;
    }

    @Override
    public List<Finding> inspect(AbortSignal signal) {
        signal.throwIfAborted();
        List<Finding> findings = new ArrayList<>(settings());
        findings.add(clock());
        findings.addAll(new KeyspaceCheck(session).findings());
        return findings;
    }

    /** The findings of a start: cheap, whatever the size of the store. On a cluster the worst of all masters. */
    List<Finding> settings() {
        Map<String, Finding> worst = new LinkedHashMap<>();
        for (StatefulConnection<String, String> master :
                session.link().masters().values()) {
            for (Finding finding : new ServerCheck(session, session.executor(master)).findings()) {
                worst.merge(
                        finding.id(), finding, (one, other) -> other.level().compareTo(one.level()) > 0 ? other : one);
            }
        }
        return List.copyOf(worst.values());
    }

    private Finding clock() {
        long drift = session.clock().driftMs();
        if (Math.abs(drift) <= DRIFT_LIMIT_MS) {
            return ok("redis.clock", "the server's clock moved " + drift + " ms against ours since the start");
        }
        return new Finding(
                "redis.clock",
                Level.WARN,
                "the server's clock jumped " + drift + " ms since the start: locks expired early or late",
                "let the clock be slewed, not stepped (chrony, ntpd -x)");
    }

    static Finding ok(String id, String message) {
        return new Finding(id, Level.OK, message, "");
    }

    static Finding unknown(String id, String message) {
        return new Finding(id, Level.UNKNOWN, message, "");
    }
}
