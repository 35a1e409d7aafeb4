package dev.syncguard.benchmarks.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Eight contenders on one key, each holds it for a millisecond.
 *
 * @param ownClients whether each has a client of its own, as in eight processes; else all share one
 */
public record HandOver(boolean ownClients) implements Workload {

    private static final int CONTENDERS = 8;
    private static final int POOL = 3;

    @Override
    public String title() {
        return ownClients ? "hand-over, 8 clients" : "hand-over, 8 threads of one client";
    }

    @Override
    public String note() {
        return "From the moment a release is invoked until the next acquire has returned; 1 ms hold. Who has released asks"
                + " again only when somebody else has got the lock, so the others all wait. Commands for a grant are"
                + " counted in passes of their own.";
    }

    @Override
    public Metric main() {
        return Metric.P50;
    }

    @Override
    public List<String> series(Bed bed, Plan plan) {
        return bed.names(Skill.WAIT);
    }

    @Override
    public double seconds(Bed bed, Plan plan) {
        return 1.6 * plan.seconds(bed.with(Skill.WAIT).size());
    }

    @Override
    public List<Series> run(Bed bed, Plan plan, Progress progress) throws Exception {
        Map<Contestant, List<Candidate>> clients = new LinkedHashMap<>();
        try {
            for (Contestant contestant : bed.with(Skill.WAIT)) {
                clients.put(contestant, open(contestant));
            }
            return Rounds.interleaved(clients, plan, progress, contenders -> measure(contenders, bed.meter(), plan));
        } finally {
            clients.values().forEach(opened -> opened.stream().distinct().forEach(Candidate::close));
        }
    }

    private List<Candidate> open(Contestant contestant) throws Exception {
        List<Candidate> contenders = new ArrayList<>();
        for (int i = 0; i < CONTENDERS; i++) {
            contenders.add(
                    ownClients || i == 0
                            ? contestant.opening().open(ownClients ? POOL : CONTENDERS)
                            : contenders.get(0));
        }
        return contenders;
    }

    private static Sample measure(List<Candidate> contenders, Meter meter, Plan plan) throws Exception {
        try (Crew crew = new Crew(contenders.size())) {
            Contest timed = new Contest(contenders, plan.round());
            Usage usage = new Usage(meter);
            timed.run(crew);
            Sample sample = usage.stop()
                    .sample(Metric.GRANTS, timed.times().getTotalCount())
                    .with(timed.times());
            Contest counted = new Contest(contenders, plan.round().dividedBy(2));
            double commands = meter.commands(() -> counted.run(crew));
            return sample.with(
                    Metric.COMMANDS, commands / Math.max(1, counted.times().getTotalCount()));
        }
    }
}
