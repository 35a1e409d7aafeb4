package dev.syncguard.faults.checker;

import dev.syncguard.faults.history.Event;
import dev.syncguard.faults.history.EventReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A history made by hand; times are milliseconds. */
final class Story {

    private final EventReader reader = new EventReader();
    private final List<Event> events = new ArrayList<>();
    private int operations;

    /** A line; quotes are written as apostrophes. */
    Story line(long ms, String process, String event, String rest) {
        String text = String.format(
                Locale.ROOT,
                "{'t':%d,'p':'%s','e':'%s'%s}",
                ms * 1_000_000,
                process,
                event,
                rest.isEmpty() ? "" : "," + rest);
        try {
            events.add(reader.read(text.replace('\'', '"')));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** An operation that began and ended; without an end if {@code ended} is negative. */
    Story call(String process, String function, String key, long began, long ended, String asked, String answer) {
        operations++;
        String about = "'n':" + operations + ",'f':'" + function + "','key':'" + key + "'";
        line(began, process, "invoke", about + (asked.isEmpty() ? "" : "," + asked));
        if (ended >= 0) {
            String event = answer.contains("'code'") || answer.contains("'contended'") ? "fail" : "ok";
            line(ended, process, event, about + "," + answer);
        }
        return this;
    }

    /** A grant with a ttl that is believed in from the request on. */
    Story granted(String process, String key, String id, int fence, long began, long ended, long ttl) {
        return granted(process, key, id, fence, began, ended, ttl, "");
    }

    Story granted(String process, String key, String id, int fence, long began, long ended, long ttl, String more) {
        String answer = String.format(
                Locale.ROOT,
                "'id':'%s','fence':'%015d','until':%d,'ttl':%d%s",
                id,
                fence,
                (began + ttl) * 1_000_000,
                ttl,
                more);
        return call(process, "acquire", key, began, ended, "'ttl':" + ttl, answer);
    }

    Story released(String process, String key, String id, long began, long ended, boolean released) {
        return call(
                process, "release", key, began, ended, "'id':'" + id + "'", "'id':'" + id + "','released':" + released);
    }

    Story extended(String process, String key, String id, long began, long ended, long ttl, boolean extended) {
        return call(
                process,
                "extend",
                key,
                began,
                ended,
                "'id':'" + id + "','ttl':" + ttl + ",'how':'replace'",
                "'id':'" + id + "','extended':" + extended + ",'until':" + (began + ttl) * 1_000_000);
    }

    Story belief(String process, String key, String id, long at, boolean valid, long until) {
        return line(
                at,
                process,
                "belief",
                "'key':'" + key + "','id':'" + id + "','valid':" + valid + ",'until':" + until * 1_000_000);
    }

    Story fault(String kind, long from, long to, String excuses) {
        String about = "'kind':'" + kind + "','target':'store'";
        line(from, "nemesis", "fault", about + ",'phase':'begin','excuses':[" + excuses + "]");
        return line(to, "nemesis", "fault", about + ",'phase':'end'");
    }

    Evidence evidence() {
        return evidence(null);
    }

    Evidence evidence(Path logs) {
        List<Event> sorted = new ArrayList<>(events);
        sorted.sort(Comparator.comparingLong(Event::time));
        return Evidence.of(sorted, logs);
    }

    /** What an invariant says of it. */
    List<String> judgedBy(Invariant invariant) {
        return judgedBy(invariant, null);
    }

    List<String> judgedBy(Invariant invariant, Path logs) {
        return invariant.check(evidence(logs)).stream().map(Violation::what).toList();
    }
}
