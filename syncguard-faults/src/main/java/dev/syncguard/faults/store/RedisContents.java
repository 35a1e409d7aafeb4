package dev.syncguard.faults.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.syncguard.testbed.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What Redis has, as the layout in docs/spec says. */
final class RedisContents {

    private static final ObjectMapper JSON = new ObjectMapper();
    /** On a cluster the prefix stands in braces, with the number of a part. */
    private static final Pattern COUNTER = Pattern.compile("(syncguard|\\{syncguard:\\d+\\}):fence:.*", Pattern.DOTALL);

    private static final Pattern INDEX = Pattern.compile("(syncguard|\\{syncguard:\\d+\\}):id:[\\w-]{22}");

    private RedisContents() {}

    static Leftovers of(List<RedisServer> servers) {
        List<Leftovers.Lock> locks = new ArrayList<>();
        List<String> others = new ArrayList<>();
        int counters = 0;
        for (RedisServer server : servers) {
            for (String name : server.list("KEYS", "*")) {
                if (COUNTER.matcher(name).matches()) {
                    counters++;
                } else if (INDEX.matcher(name).matches()) {
                    others.add("index entry, expires in " + server.command("PTTL", name) + " ms");
                } else {
                    add(server.command("GET", name), name, locks, others);
                }
            }
        }
        return new Leftovers(locks, others, counters);
    }

    private static void add(String text, String name, List<Leftovers.Lock> locks, List<String> others) {
        try {
            JsonNode lock = JSON.readTree(text);
            if (lock.has("lockId")) {
                locks.add(new Leftovers.Lock(
                        lock.get("key").asText(),
                        lock.get("lockId").asText(),
                        lock.get("expiresAtMs").asLong()));
            } else if (!text.isEmpty()) {
                others.add(name);
            }
        } catch (JsonProcessingException e) {
            others.add(name);
        }
    }
}
