package dev.syncguard.benchmarks.fences;

import java.util.ArrayList;
import java.util.List;

/** Prints what fence guards cost, as tables in Markdown: {@code FenceCosts [rounds [milliseconds]]}. */
public final class FenceCosts {

    static final String HEAD =
            "| write | threads | per second, median (lowest to highest round) | relative to the first |\n"
                    + "|---|---|---|---|";

    private FenceCosts() {}

    /**
     * Measures on a Redis and a PostgreSQL of its own.
     *
     * @param args how many rounds, 11 if not given, and the milliseconds of each, 800 if not given
     * @throws Exception if a server fails
     */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 11;
        int millis = args.length > 1 ? Integer.parseInt(args[1]) : 800;
        System.out.println(String.join("\n", tables(rounds, millis)));
    }

    static List<String> tables(int rounds, int millis) throws Exception {
        List<String> lines = new ArrayList<>();
        lines.add("### Redis\n\n" + HEAD);
        lines.addAll(RedisFenceCosts.rows(1, rounds, millis));
        lines.addAll(RedisFenceCosts.rows(8, rounds, millis));
        lines.add("\n### Redis, processor time\n\n" + ProcessorTime.HEAD);
        lines.addAll(RedisFenceCosts.processorTime(1, rounds, 20 * millis));
        lines.addAll(RedisFenceCosts.processorTime(8, rounds, 20 * millis));
        lines.add("\n### PostgreSQL, one transaction each\n\n" + HEAD);
        lines.addAll(PostgresFenceCosts.writes(1, rounds, millis));
        lines.addAll(PostgresFenceCosts.writes(8, rounds, millis));
        lines.add("\n### PostgreSQL, renewing a lease\n\n" + HEAD);
        lines.addAll(PostgresFenceCosts.renewals(rounds, millis));
        return lines;
    }
}
