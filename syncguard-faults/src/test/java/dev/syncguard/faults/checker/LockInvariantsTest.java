package dev.syncguard.faults.checker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is promised of locks: a history that keeps each promise, and one that breaks it. */
class LockInvariantsTest {

    private static final String A = "c1.1";
    private static final String B = "c2.1";

    private static Story handedOver(int firstFence, int secondFence) {
        return new Story()
                .granted(A, "k", "a", firstFence, 0, 10, 1000)
                .released(A, "k", "a", 50, 60, true)
                .granted(B, "k", "b", secondFence, 55, 70, 1000)
                .released(B, "k", "b", 90, 95, true);
    }

    @Test
    @DisplayName("I1: growing fences are in order; equal or smaller ones are not, whoever had them")
    void fences() {
        assertThat(handedOver(1, 2).judgedBy(new FenceOrder())).isEmpty();
        assertThat(handedOver(2, 2).judgedBy(new FenceOrder())).contains("two grants have the same fence");
        Story later = new Story().granted(A, "k", "a", 7, 0, 10, 50).granted(B, "k", "b", 3, 2000, 2010, 50);
        assertThat(later.judgedBy(new FenceOrder())).containsExactly("a later grant has no higher fence");
    }

    @Test
    @DisplayName(
            "I1: grants that overlap in time may have their fences in any order; a loss of data with counters is excused")
    void fencesOfOverlappingGrants() {
        Story overlapping = new Story().granted(A, "k", "a", 2, 0, 30, 5).granted(B, "k", "b", 1, 10, 20, 5);
        assertThat(overlapping.judgedBy(new FenceOrder())).isEmpty();
        Story excused = new Story()
                .granted(A, "k", "a", 7, 0, 10, 50)
                .fault("flush", 1000, 1001, "'I1'")
                .granted(B, "k", "b", 3, 2000, 2010, 50);
        assertThat(excused.judgedBy(new FenceOrder())).isEmpty();
    }

    @Test
    @DisplayName("I2: a lease is believed until its release or its deadline, and not by two at once")
    void believers() {
        assertThat(handedOver(1, 2).judgedBy(new OneBeliever())).isEmpty();
        Story expired = new Story().granted(A, "k", "a", 1, 0, 10, 100).granted(B, "k", "b", 2, 90, 110, 100);
        assertThat(expired.judgedBy(new OneBeliever())).isEmpty();
        Story two = new Story().granted(A, "k", "a", 1, 0, 10, 100).granted(B, "k", "b", 2, 60, 70, 100);
        assertThat(two.judgedBy(new OneBeliever())).containsExactly("two holders for 30000 us");
    }

    @Test
    @DisplayName("I2: an extension prolongs belief, a shortening cuts it when it is asked for")
    void extensions() {
        Story prolonged = new Story()
                .granted(A, "k", "a", 1, 0, 10, 100)
                .extended(A, "k", "a", 50, 60, 200, true)
                .granted(B, "k", "b", 2, 150, 160, 100);
        assertThat(prolonged.judgedBy(new OneBeliever())).hasSize(1);
        Story shortened = new Story()
                .granted(A, "k", "a", 1, 0, 10, 1000)
                .extended(A, "k", "a", 50, 300, 20, true)
                .granted(B, "k", "b", 2, 90, 100, 100);
        assertThat(shortened.judgedBy(new OneBeliever())).isEmpty();
        shortened.belief(A, "k", "a", 110, true, 1000);
        assertThat(shortened.judgedBy(new OneBeliever())).hasSize(1);
    }

    @Test
    @DisplayName("I2: data loss is excused, a fault that excuses nothing is not")
    void excuses() {
        Story two = new Story().granted(A, "k", "a", 1, 0, 10, 100).granted(B, "k", "b", 2, 60, 70, 100);
        two.fault("reset", 20, 30, "");
        assertThat(two.judgedBy(new OneBeliever())).hasSize(1);
        two.fault("flush", 40, 41, "'I2'");
        assertThat(two.judgedBy(new OneBeliever())).isEmpty();
    }

    @Test
    @DisplayName("I2: data loss is excused also if the first lock was the last to be heard of")
    void excusesLateAnswer() {
        Story two = new Story().granted(A, "k", "a", 1, 0, 90, 100).granted(B, "k", "b", 2, 60, 70, 100);
        assertThat(two.judgedBy(new OneBeliever())).hasSize(1);
        two.fault("flush", 40, 41, "'I2'");
        assertThat(two.judgedBy(new OneBeliever())).isEmpty();
    }

    @Test
    @DisplayName("I4: one release succeeds, and none after a later grant")
    void releases() {
        assertThat(handedOver(1, 2).judgedBy(new OneRelease())).isEmpty();
        Story twice = handedOver(1, 2).released(B, "k", "a", 52, 53, true);
        assertThat(twice.judgedBy(new OneRelease())).containsExactly("released 2 times");
        Story late = new Story()
                .granted(A, "k", "a", 1, 0, 10, 50)
                .granted(B, "k", "b", 2, 100, 110, 500)
                .released(A, "k", "a", 120, 130, true);
        assertThat(late.judgedBy(new OneRelease())).containsExactly("released after a later grant");
    }

    @Test
    @DisplayName("I4: a request that was repeated after a fault may arrive twice, but not three times")
    void lateCopyOfAnAcquire() {
        Story repeated = new Story()
                .call(A, "acquire", "k", 0, 900, "'ttl':2000", "'id':'a','fence':'1','until':2810000000,'ttl':2000")
                .released(A, "k", "a", 910, 920, true)
                .released(B, "k", "a", 930, 940, true);
        assertThat(repeated.judgedBy(new OneRelease())).containsExactly("released 2 times");
        repeated.fault("server-freeze", 100, 800, "");
        assertThat(repeated.judgedBy(new OneRelease())).isEmpty();
        repeated.released(B, "k", "a", 950, 960, true);
        assertThat(repeated.judgedBy(new OneRelease())).containsExactly("released 3 times");
    }

    @Test
    @DisplayName("I5: a lock is not gone before its time, unless somebody released it")
    void kept() {
        assertThat(handedOver(1, 2).judgedBy(new KeptLease())).isEmpty();
        Story gone = new Story().granted(A, "k", "a", 1, 0, 10, 1000).released(A, "k", "a", 50, 60, false);
        assertThat(gone.judgedBy(new KeptLease())).hasSize(1);
        Story refused = new Story().granted(A, "k", "a", 1, 0, 10, 1000).extended(A, "k", "a", 50, 60, 1000, false);
        assertThat(refused.judgedBy(new KeptLease())).hasSize(1);
        Story elsewhere = new Story()
                .granted(A, "k", "a", 1, 0, 10, 1000)
                .released(B, "k", "a", 20, 30, true)
                .released(A, "k", "a", 50, 60, false);
        assertThat(elsewhere.judgedBy(new KeptLease())).isEmpty();
    }

    @Test
    @DisplayName("I5: a lease that is renewed is lost only to a fault or a pause")
    void renewed() {
        Story lost = new Story()
                .granted(A, "k", "a", 1, 0, 10, 500, ",'how':'auto'")
                .line(5000, A, "lost", "'key':'k','id':'a','reason':'EXPIRED'");
        assertThat(lost.judgedBy(new KeptLease()))
                .containsExactly("a lease that is renewed was lost although nothing was broken");
        assertThat(lost.fault("latency", 4000, 4100, "").judgedBy(new KeptLease()))
                .isEmpty();
        Story paused = new Story()
                .granted(A, "k", "a", 1, 0, 10, 500, ",'how':'auto'")
                .line(4000, A, "gap", "'until':" + 4_900_000_000L)
                .line(5000, A, "lost", "'key':'k','id':'a','reason':'EXPIRED'");
        assertThat(paused.judgedBy(new KeptLease())).isEmpty();
    }

    @Test
    @DisplayName("I6: nothing is extended after a refusal, an expiry or a later grant")
    void dead() {
        Story sound = new Story()
                .granted(A, "k", "a", 1, 0, 10, 100)
                .extended(A, "k", "a", 50, 60, 100, true)
                .extended(A, "k", "a", 400, 410, 100, false);
        assertThat(sound.judgedBy(new DeadId())).isEmpty();
        assertThat(sound.extended(A, "k", "a", 420, 430, 100, true).judgedBy(new DeadId()))
                .containsExactly("extended after an extension was refused");
        Story expired = new Story().granted(A, "k", "a", 1, 0, 10, 100).extended(B, "k", "a", 200, 210, 100, true);
        assertThat(expired.judgedBy(new DeadId())).containsExactly("extended after it had expired");
        Story regranted = new Story()
                .granted(A, "k", "a", 1, 0, 10, 100)
                .granted(B, "k", "b", 2, 20, 30, 100)
                .extended(A, "k", "a", 40, 50, 100, true);
        assertThat(regranted.judgedBy(new DeadId())).containsExactly("extended after a later grant");
    }

    @Test
    @DisplayName("I6: an extension that waited for a row counts from the moment at which the row was free")
    void stalledRow() {
        Story stalled = new Story().granted(A, "k", "a", 1, 0, 10, 100);
        String about = "'kind':'row-stall','target':'row','key':'k'";
        stalled.line(20, "nemesis", "fault", about + ",'phase':'begin','excuses':[]");
        stalled.extended(A, "k", "a", 50, 310, 100, true);
        assertThat(stalled.judgedBy(new DeadId())).isEmpty();
        stalled.line(300, "nemesis", "fault", about + ",'phase':'end'");
        assertThat(stalled.judgedBy(new DeadId())).containsExactly("extended after it had expired");
    }

    @Test
    @DisplayName(
            "I12: a lease that is handed out has time left, unless its process or the thread that asks stood still")
    void fresh() {
        assertThat(handedOver(1, 2).judgedBy(new FreshLease())).isEmpty();
        Story late = new Story().granted(A, "k", "a", 1, 0, 400, 200);
        assertThat(late.judgedBy(new FreshLease())).containsExactly("granted without remaining time");
        assertThat(late.line(100, A, "gap", "'until':" + 290_000_000L).judgedBy(new FreshLease()))
                .as("it stood still long before")
                .isNotEmpty();
        assertThat(late.line(100, A, "gap", "'until':" + 390_000_000L).judgedBy(new FreshLease()))
                .isEmpty();
        Story justOver = new Story().granted(A, "k", "a", 1, 0, 200, 200, ",'took':1000");
        assertThat(justOver.judgedBy(new FreshLease())).containsExactly("granted without remaining time");
        Story paused = new Story().granted(A, "k", "a", 1, 0, 200, 200, ",'took':5000000");
        assertThat(paused.judgedBy(new FreshLease())).isEmpty();
    }

    @Test
    @DisplayName("L: an order of the calls must explain their answers")
    void linearizable() {
        assertThat(handedOver(1, 2).judgedBy(new Linearizable())).isEmpty();
        Story two = new Story().granted(A, "k", "a", 1, 0, 10, 1000).granted(B, "k", "b", 2, 60, 70, 1000);
        assertThat(two.judgedBy(new Linearizable())).hasSize(1);
        Story unknown = new Story()
                .granted(A, "k", "a", 1, 0, 10, 1000)
                .call(A, "release", "k", 20, 30, "'id':'a'", "'id':'a','code':'NETWORK_TIMEOUT','unknown':true")
                .granted(B, "k", "b", 2, 60, 70, 1000);
        assertThat(unknown.judgedBy(new Linearizable())).isEmpty();
        Story notReleased = new Story()
                .granted(A, "k", "a", 1, 0, 10, 1000)
                .released(A, "k", "a", 20, 30, false)
                .granted(B, "k", "b", 2, 60, 70, 1000);
        assertThat(notReleased.judgedBy(new Linearizable())).hasSize(1);
    }
}
