package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.harness.Candidate;
import dev.syncguard.spi.LockIds;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;

/** Bare EVALSHA with the driver's own interface: what any client of these scripts costs at least. */
final class ScriptFloor implements Candidate {

    private static final String OURS = "/dev/syncguard/redis/";
    private static final String SPECIFIED = "/dev/syncguard/benchmarks/redis/spec-";

    private enum Scripts {
        SPECIFICATION(ScriptOutputType.MULTI, read(SPECIFIED + "acquire.lua"), read(SPECIFIED + "release.lua")),
        OWN(
                ScriptOutputType.VALUE,
                read(OURS + "lock.lua") + read(OURS + "json.lua") + read(OURS + "acquire.lua"),
                read(OURS + "lock.lua") + read(OURS + "release.lua")),
        EMPTY(ScriptOutputType.VALUE, "return ''", "return 1");

        private final ScriptOutputType granting;
        private final String acquire;
        private final String release;

        Scripts(ScriptOutputType granting, String acquire, String release) {
            this.granting = granting;
            this.acquire = acquire;
            this.release = release;
        }
    }

    private final Scripts scripts;
    private final ClientResources resources;
    private final RedisClient client;
    private final RedisCommands<String, String> sync;
    private final RedisAsyncCommands<String, String> async;
    private final String acquire;
    private final String release;

    private ScriptFloor(String url, Scripts scripts, boolean coalescing) {
        this.scripts = scripts;
        this.resources = coalescing
                ? ClientResources.builder()
                        .nettyCustomizer(new NettyCustomizer() {
                            @Override
                            public void afterChannelInitialized(Channel channel) {
                                channel.pipeline().addFirst(new FlushConsolidationHandler(256, true));
                            }
                        })
                        .build()
                : ClientResources.create();
        this.client = RedisClient.create(resources, url);
        StatefulRedisConnection<String, String> connection = client.connect();
        this.sync = connection.sync();
        this.async = connection.async();
        this.acquire = sync.scriptLoad(scripts.acquire);
        this.release = sync.scriptLoad(scripts.release);
    }

    /** Our scripts. */
    static ScriptFloor own(String url) {
        return new ScriptFloor(url, Scripts.OWN, false);
    }

    /** Our scripts; what is written at the same time leaves together. */
    static ScriptFloor ownCoalescing(String url) {
        return new ScriptFloor(url, Scripts.OWN, true);
    }

    /** The scripts of the specification. */
    static ScriptFloor spec(String url) {
        return new ScriptFloor(url, Scripts.SPECIFICATION, false);
    }

    /** Scripts that do nothing, with the keys and arguments of ours. */
    static ScriptFloor empty(String url) {
        return new ScriptFloor(url, Scripts.EMPTY, false);
    }

    private static String read(String resource) {
        try (InputStream in = ScriptFloor.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("no " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void locked(String key, Runnable body) {
        String id = LockIds.random().value();
        Object granted = sync.evalsha(acquire, scripts.granting, keys(key, id), args(key, id));
        body.run();
        Object released = sync.evalsha(release, ScriptOutputType.INTEGER, releaseKeys(key, id), releaseArgs(id));
        if (granted == null || !Long.valueOf(1).equals(released)) {
            throw new IllegalStateException("not released");
        }
    }

    @Override
    public CompletionStage<?> cycleAsync(String key, long owner) {
        String id = LockIds.random().value();
        return async.evalsha(acquire, scripts.granting, keys(key, id), args(key, id))
                .thenCompose(granted ->
                        async.evalsha(release, ScriptOutputType.INTEGER, releaseKeys(key, id), releaseArgs(id)));
    }

    private static String[] keys(String key, String id) {
        return new String[] {"syncguard:" + key, "syncguard:id:" + id, "syncguard:fence:syncguard:" + key};
    }

    private String[] args(String key, String id) {
        return scripts == Scripts.SPECIFICATION
                ? new String[] {id, "30000", "1000", "syncguard:" + key, key}
                : new String[] {id, "30000", key, "c", "", ""};
    }

    private String[] releaseKeys(String key, String id) {
        return scripts == Scripts.SPECIFICATION
                ? new String[] {"syncguard:id:" + id}
                : new String[] {"syncguard:id:" + id, "syncguard:" + key};
    }

    private String[] releaseArgs(String id) {
        return scripts == Scripts.SPECIFICATION ? new String[] {id, "1000"} : new String[] {id, "PUBLISH"};
    }

    @Override
    public void close() {
        client.shutdown();
        var unused = resources.shutdown();
    }
}
