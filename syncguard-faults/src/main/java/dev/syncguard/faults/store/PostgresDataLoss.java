package dev.syncguard.faults.store;

import dev.syncguard.faults.nemesis.Fault;
import dev.syncguard.faults.nemesis.Strike;
import dev.syncguard.testbed.PostgresServer;

/** A server that reports commits before they are safe, and crashes. */
final class PostgresDataLoss {

    private final PostgresServer server;

    PostgresDataLoss(PostgresServer server) {
        this.server = server;
    }

    Fault lostCommits() {
        return Fault.of("lost-commits", RedisDataLoss.EXCUSES, this::loseCommits);
    }

    private void loseCommits(Strike strike) {
        strike.begin("postgres");
        server.set("wal_writer_delay", "10s");
        server.set("synchronous_commit", "off");
        strike.last(200, 800);
        server.crash();
        server.restart();
        server.set("synchronous_commit", "on");
        server.set("wal_writer_delay", "200ms");
    }
}
