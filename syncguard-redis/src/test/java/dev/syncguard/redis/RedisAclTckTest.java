package dev.syncguard.redis;

import dev.syncguard.testbed.RedisServer;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.DisplayName;

/** What the documentation says a user needs is enough for everything. */
@DisplayName("the contract as a user with the least rights")
class RedisAclTckTest extends RedisTck<RedisServer> {

    /** The line of the documentation. */
    static final String[] LINE = {
        "ACL",
        "SETUSER",
        "locks",
        "reset",
        "on",
        ">s3cret",
        "~syncguard:*",
        "resetchannels",
        "&syncguard:*",
        "+eval",
        "+evalsha",
        "+time",
        "+get",
        "+set",
        "+del",
        "+incr",
        "+pexpire",
        "+publish",
        "+subscribe",
        "+unsubscribe",
        "+scan",
        "+info",
        "+ping"
    };

    RedisAclTckTest() {
        super(RedisServer.start(), server -> RedisURI.create(server.url()));
        String reply = servers().command(LINE);
        if (!reply.equals("OK")) {
            throw new IllegalStateException(reply);
        }
    }

    @Override
    RedisLockBackendBuilder builder() {
        return RedisLockBackend.builder(
                "redis://locks:s3cret@127.0.0.1:" + servers().port());
    }
}
