package dev.syncguard.model;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What TLC found.
 *
 * @param holds whether all was explored without an error
 * @param violated the promise that does not hold, if TLC names one
 * @param trace the steps that lead there
 * @param output all that TLC printed
 */
record Verdict(
        boolean holds,
        Optional<String> violated,
        long generated,
        long distinct,
        int depth,
        double seconds,
        List<Step> trace,
        String output) {

    /**
     * One state of a trace.
     *
     * @param action the name of the action that led to it
     * @param values its variables, as TLC prints them
     */
    record Step(String action, String values) {

        /** Returns a number: that of a variable, or the one of that name in a variable that is a record. */
        int number(String name) {
            return Integer.parseInt(find(name + " (?:=|\\|->) (\\d+)", 1));
        }

        /** Returns a field of one of the records in the tuple that a variable is. */
        String field(String variable, int index, String field) {
            String records = find("(?s)/\\\\ " + variable + " = <<(.*?)>>", 1);
            return Pattern.compile(field + " \\|-> \"?(\\w+)")
                    .matcher(records)
                    .results()
                    .skip(index - 1)
                    .findFirst()
                    .orElseThrow()
                    .group(1);
        }

        /** Returns one element of the tuple of numbers that a variable is. */
        int element(String variable, int index) {
            return Integer.parseInt(
                    find("/\\\\ " + variable + " = <<(.*?)>>", 1).split(", ", -1)[index - 1]);
        }

        private String find(String pattern, int group) {
            Matcher found = Pattern.compile(pattern).matcher(values);
            if (!found.find()) {
                throw new IllegalArgumentException("no " + pattern + " in " + values);
            }
            return found.group(group);
        }
    }

    private static final Pattern VIOLATED = Pattern.compile(
            "Error: (?:Invariant|Action property) (\\w+) is violated|Error: (Temporal) properties were");
    private static final Pattern COUNTS =
            Pattern.compile("(\\d+) states generated, (\\d+) distinct states found, \\d+");
    private static final Pattern DEPTH = Pattern.compile("complete state graph search is (\\d+)");
    private static final Pattern STATE =
            Pattern.compile("(?ms)^State \\d+: <(\\w+|Initial predicate)[^\\n]*>\\n(.*?)\\n\\n");

    static Verdict of(String output, int exitCode, double seconds) {
        boolean holds = exitCode == 0 && output.contains("Model checking completed. No error has been found.");
        return new Verdict(
                holds,
                Optional.of(VIOLATED.matcher(output))
                        .filter(Matcher::find)
                        .map(found -> found.group(1) == null ? found.group(2) : found.group(1)),
                number(COUNTS, output, 1),
                number(COUNTS, output, 2),
                (int) number(DEPTH, output, 1),
                seconds,
                STATE.matcher(output)
                        .results()
                        .map(state -> new Step(state.group(1), state.group(2)))
                        .toList(),
                output);
    }

    private static long number(Pattern pattern, String output, int group) {
        return pattern.matcher(output)
                .results()
                .reduce((first, last) -> last)
                .map(found -> Long.parseLong(found.group(group)))
                .orElse(0L);
    }
}
