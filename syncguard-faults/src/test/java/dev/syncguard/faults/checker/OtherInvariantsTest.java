package dev.syncguard.faults.checker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is promised of resource, store, errors and logs: a history that keeps each promise, and one that breaks it. */
class OtherInvariantsTest {

    private static final String A = "c1.1";

    @TempDir
    Path logs;

    private static Story register(Story story, long at, String event, int fence, String rest) {
        return story.line(at, "register", event, "'key':'k','fence':'" + String.format("%015d", fence) + "'," + rest);
    }

    @Test
    @DisplayName("I3: a smaller fence is refused, and a write is made from what was written last")
    void resource() {
        Story sound = new Story();
        register(sound, 1, "write", 1, "'value':'x','note':'','accepted':true");
        register(sound, 2, "read", 2, "'value':'x','accepted':true");
        register(sound, 3, "write", 1, "'value':'y','note':'x','accepted':false");
        register(sound, 4, "write", 2, "'value':'z','note':'x','accepted':true");
        assertThat(sound.judgedBy(new FencedResource())).isEmpty();
        register(sound, 5, "write", 1, "'value':'y','note':'z','accepted':true");
        assertThat(sound.judgedBy(new FencedResource()))
                .containsExactly("a smaller fence was accepted after a larger one");
        register(sound, 6, "write", 3, "'value':'w','note':'z','accepted':true");
        assertThat(sound.judgedBy(new FencedResource()))
                .hasSize(2)
                .last()
                .asString()
                .contains("a write was lost");
    }

    @Test
    @DisplayName("I7: the probe is granted every key in time")
    void recovery() {
        Story sound = new Story()
                .granted(A, "k", "a", 1, 0, 10, 1000)
                .line(1000, "nemesis", "healed", "")
                .granted("probe.1", "k", "p", 2, 2000, 6500, 1000);
        assertThat(sound.judgedBy(new Recovery())).isEmpty();
        Story late = new Story()
                .granted(A, "k", "a", 1, 0, 10, 1000)
                .line(1000, "nemesis", "healed", "")
                .granted("probe.1", "k", "p", 2, 2000, 9000, 1000);
        assertThat(late.judgedBy(new Recovery())).hasSize(1);
        Story never = new Story()
                .line(1000, "nemesis", "healed", "")
                .call("probe.1", "acquire", "k", 2000, 9000, "", "'code':'ACQUISITION_TIMEOUT'");
        assertThat(never.judgedBy(new Recovery())).hasSize(1);
    }

    @Test
    @DisplayName("I8: nothing is left of a client, and its calls end")
    void resources() {
        Story sound = new Story().line(1, A, "resources", "'kind':'threads','locks':0");
        assertThat(sound.judgedBy(new NoLeaks())).isEmpty();
        sound.line(2, A, "resources", "'kind':'sockets','locks':3").line(3, A, "stuck", "'note':'W1'");
        assertThat(sound.judgedBy(new NoLeaks())).hasSize(2);
    }

    private static Story left(Story story, String id) {
        return story.line(9000, "nemesis", "leftover", "'key':'k','id':'" + id + "'");
    }

    @Test
    @DisplayName("I9: a lock that nobody gave back may be left; one that was given back may not")
    void orphans() {
        Story abandoned = new Story().granted(A, "k", "a", 1, 5000, 5010, 6000).line(8000, A, "end", "");
        assertThat(left(abandoned, "a").judgedBy(new NoOrphans())).isEmpty();
        Story released = new Story()
                .granted(A, "k", "a", 1, 5000, 5010, 6000)
                .released(A, "k", "a", 5020, 5030, true)
                .line(8000, A, "end", "");
        assertThat(left(released, "a").judgedBy(new NoOrphans()))
                .containsExactly("a lock that was released is still there");
        assertThat(left(new Story(), "x").judgedBy(new NoOrphans()))
                .containsExactly("a lock that nobody was granted is there");
    }

    @Test
    @DisplayName(
            "I9: an acquire that failed leaves a lock only if its process was killed, or its guard had no time to close")
    void orphansOfFailures() {
        String failure = "'id':'a','code':'NETWORK_TIMEOUT','unknown':true";
        Story failed = new Story().call(A, "acquire", "k", 5000, 5800, "'ttl':6000", failure);
        assertThat(left(failed, "a").judgedBy(new NoOrphans())).hasSize(1);
        assertThat(failed.line(6000, A, "killed", "").judgedBy(new NoOrphans())).isEmpty();
        Story closed = new Story().call(A, "acquire", "k", 5000, 5800, "'ttl':6000", failure);
        closed.line(7500, A, "closed", "'key':'k','locks':1600,'ttl':1600");
        assertThat(left(closed, "a").judgedBy(new NoOrphans())).isEmpty();
    }

    @Test
    @DisplayName("I9: in the end there are only fence counters")
    void leftovers() {
        Story sound = new Story().line(1, "nemesis", "leftovers", "'phase':'end','locks':0");
        assertThat(sound.judgedBy(new NoOrphans())).isEmpty();
        Story something = new Story().line(1, "nemesis", "leftovers", "'phase':'end','locks':2");
        assertThat(something.judgedBy(new NoOrphans())).hasSize(1);
    }

    @Test
    @DisplayName("I10: a failure has a documented code")
    void codes() {
        Story sound = new Story().call(A, "acquire", "k", 0, 10, "", "'code':'NETWORK_TIMEOUT'");
        assertThat(sound.judgedBy(new HonestErrors())).isEmpty();
        sound.call(A, "acquire", "k", 20, 30, "", "'code':'NullPointerException'");
        assertThat(sound.judgedBy(new HonestErrors())).containsExactly("an error that is not documented");
    }

    @Test
    @DisplayName("I10: nobody is kept out of his own key, unless something failed there before")
    void ownKey() {
        String key = "zq7:own-c1-1";
        Story keptOut = new Story().call(A, "acquire", key, 100, 110, "", "'contended':true");
        assertThat(keptOut.judgedBy(new HonestErrors())).containsExactly("kept out of a key that nobody else uses");
        Story explained = new Story()
                .call(A, "acquire", key, 0, 50, "", "'code':'NETWORK_TIMEOUT','unknown':true")
                .call(A, "acquire", key, 100, 110, "", "'contended':true");
        assertThat(explained.judgedBy(new HonestErrors())).isEmpty();
    }

    @Test
    @DisplayName("I11: a raw key or a lock id in a log is found")
    void secrets() throws Exception {
        String id = "AAAAAAAAAAAAAAAAAAAAA_";
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
        Story story = new Story().granted(A, "zq7:k", HexFormat.of().formatHex(digest, 0, 6), 1, 0, 10, 100);
        log("key 0123456789abcdef01234567 is late; BBBBBBBBBBBBBBBBBBBBB_");
        assertThat(story.judgedBy(new NoSecrets(), logs)).isEmpty();
        log("key zq7:k is late");
        assertThat(story.judgedBy(new NoSecrets(), logs)).containsExactly("a raw key in c1.1.log");
        log("released " + id + ".");
        assertThat(story.judgedBy(new NoSecrets(), logs)).containsExactly("a lock id in c1.1.log");
    }

    private void log(String line) throws IOException {
        Files.writeString(logs.resolve("c1.1.log"), line + "\n");
    }

    @Test
    @DisplayName("coverage counts hand-overs by expiry, and not those by release")
    void coverage() {
        Story story = new Story()
                .granted(A, "k", "a", 1, 0, 10, 100)
                .granted(A, "k", "b", 2, 200, 210, 100)
                .released(A, "k", "b", 220, 230, true)
                .granted(A, "k", "c", 3, 240, 250, 100)
                .fault("reset", 20, 30, "");
        Coverage coverage = Coverage.of(story.evidence());
        assertThat(coverage.handOvers()).isEqualTo(1);
        assertThat(coverage.operations()).isEqualTo(4);
        assertThat(coverage.faults()).containsEntry("reset", 1);
    }
}
