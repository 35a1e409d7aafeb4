package dev.syncguard.faults.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.syncguard.faults.checker.Timeline;
import dev.syncguard.faults.checker.Timeline.Access;
import dev.syncguard.faults.checker.Timeline.End;
import dev.syncguard.faults.checker.Timeline.Hold;
import dev.syncguard.faults.checker.Timeline.Trouble;
import java.util.LinkedHashMap;
import java.util.Map;

/** A timeline as the page reads it: short arrays, because there are many, and microseconds since the begin of the round. */
final class TimelineJson {

    private final Timeline timeline;
    private final Map<String, Integer> processes = new LinkedHashMap<>();
    private final Map<String, ObjectNode> keys = new LinkedHashMap<>();
    private final ObjectNode json = JsonNodeFactory.instance.objectNode();

    private TimelineJson(Timeline timeline) {
        this.timeline = timeline;
    }

    static ObjectNode of(Timeline timeline) {
        TimelineJson writer = new TimelineJson(timeline);
        writer.write();
        return writer.json;
    }

    private void write() {
        json.put("from", timeline.from());
        json.put("length", micros(timeline.to()));
        ArrayNode faults = json.putArray("faults");
        timeline.faults().forEach(fault -> write(fault, faults.addObject()));
        timeline.holds().forEach(this::write);
        timeline.accesses().forEach(this::write);
        ArrayNode names = json.putArray("processes");
        processes.keySet().forEach(names::add);
        ArrayNode lanes = json.putArray("keys");
        keys.values().forEach(lanes::add);
    }

    private void write(Trouble fault, ObjectNode to) {
        to.put("kind", fault.kind())
                .put("target", fault.target())
                .put("from", micros(fault.from()))
                .put("to", micros(fault.to()));
    }

    /** {@code [process, fence, from, to, end]} */
    private void write(Hold hold) {
        lane(hold.key(), "holds")
                .addArray()
                .add(process(hold.process()))
                .add(hold.fence())
                .add(micros(hold.from()))
                .add(micros(hold.to()))
                .add(code(hold.end()));
    }

    /** As the page numbers them. */
    private static int code(End end) {
        return switch (end) {
            case RELEASED -> 0;
            case LOST -> 1;
            case EXPIRED -> 2;
        };
    }

    /** {@code [process, fence, time, write, accepted]} */
    private void write(Access access) {
        lane(access.key(), "accesses")
                .addArray()
                .add(process(access.process()))
                .add(access.fence())
                .add(micros(access.time()))
                .add(access.write() ? 1 : 0)
                .add(access.accepted() ? 1 : 0);
    }

    private ArrayNode lane(String key, String what) {
        ObjectNode lane = keys.computeIfAbsent(key, name -> {
            ObjectNode created = JsonNodeFactory.instance.objectNode().put("key", name);
            created.putArray("holds");
            created.putArray("accesses");
            return created;
        });
        return lane.withArray(what);
    }

    private int process(String name) {
        return processes.computeIfAbsent(name, added -> processes.size());
    }

    private long micros(long time) {
        return (time - timeline.from()) / 1000;
    }
}
