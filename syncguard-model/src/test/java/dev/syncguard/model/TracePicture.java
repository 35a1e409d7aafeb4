package dev.syncguard.model;

import dev.syncguard.model.Verdict.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Draws the trace of a refuted lease: one row for each step, one lane for each holder and one for the store between them,
 * with a bar as long as a holder believes in its lease, or the store has the lock.
 */
final class TracePicture {

    private static final int TOP = 78;
    private static final int ROW = 30;
    private static final int WIDTH = 860;
    private static final int TIME = 20;
    private static final int TEXT = 64;
    private static final int[] LANES = {430, 590, 750}; // first holder, store, second holder
    private static final String[] COLOURS = {"#2563a8", "#b45309"};

    private final List<Step> trace;
    private final StringBuilder svg = new StringBuilder();

    private TracePicture(List<Step> trace) {
        this.trace = trace;
    }

    /** Returns the picture of a trace with two holders. */
    static String of(String title, List<Step> trace) {
        TracePicture picture = new TracePicture(trace);
        picture.draw(title);
        return picture.svg.toString();
    }

    private void draw(String title) {
        int height = TOP + trace.size() * ROW + 40;
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">%n", WIDTH, height);
        add("<title>%s</title>%n", title);
        add(
                "<style>text{font:13px sans-serif;fill:#1f2933}.lane,.title{font-weight:bold}.small{font-size:12px}</style>%n");
        add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>%n", WIDTH, height);
        text(TIME, 24, "title", title);
        text(TIME, TOP - 22, "lane", "time");
        text(TEXT, TOP - 22, "lane", "what happens");
        lane(0, "holder 1 believes", height);
        lane(1, "the store has", height);
        lane(2, "holder 2 believes", height);
        for (int i = 0; i < trace.size(); i++) {
            row(i);
        }
        text(
                TEXT,
                height - 14,
                "small",
                "Red: two holders believe in their leases. A holder's own clock may be one tick slow. Drawn from the output of TLC.");
        add("</svg>%n");
    }

    private void lane(int lane, String name, int height) {
        int x = LANES[lane];
        add("<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#cbd2d9\"/>%n", x, TOP - 12, x, height - 34);
        add("<text class=\"lane\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>%n", x, TOP - 22, name);
    }

    private void row(int i) {
        Step now = trace.get(i);
        int y = TOP + i * ROW;
        boolean both = believes(now, 1) && believes(now, 2);
        if (both) {
            add("<rect x=\"8\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#fbd5d5\"/>%n", y - 10, WIDTH - 16, ROW);
        }
        text(TIME, y + 10, "small", Integer.toString(now.number("now")));
        text(TEXT, y + 10, "small", i == 0 ? "the key is free" : describe(trace.get(i - 1), now));
        bar(0, y, believes(now, 1), 1, belief(now, 1));
        int owner = owner(now);
        boolean live = owner != 0 && now.number("end") > now.number("now");
        bar(1, y, live, owner, "lock of " + owner + " until " + now.number("end"));
        bar(2, y, believes(now, 2), 2, belief(now, 2));
    }

    private void bar(int lane, int y, boolean shown, int holder, String label) {
        if (shown) {
            add(
                    "<rect x=\"%d\" y=\"%d\" width=\"8\" height=\"%d\" fill=\"%s\"/>%n",
                    LANES[lane] - 4, y - 10, ROW, COLOURS[holder - 1]);
            text(LANES[lane] + 10, y + 10, "small", label);
        }
    }

    private static int owner(Step step) {
        return step.number("\\[id");
    }

    /** Returns what the holder's own clock shows, which may be slow. */
    private static int clock(Step step, int holder) {
        return step.number("now") - step.element("lag", holder);
    }

    private static String belief(Step step, int holder) {
        return "until " + step.field("holder", holder, "deadline") + ", clock " + clock(step, holder);
    }

    private static boolean believes(Step step, int holder) {
        return step.field("holder", holder, "state").equals("held")
                && clock(step, holder) < Integer.parseInt(step.field("holder", holder, "deadline"));
    }

    private static String describe(Step before, Step now) {
        List<Integer> changed = new ArrayList<>();
        for (int holder = 1; holder <= 2; holder++) {
            if (!state(before, holder).equals(state(now, holder))) {
                changed.add(holder);
            }
        }
        int owner = owner(now);
        int who = changed.isEmpty() ? owner : changed.get(0);
        return switch (now.action()) {
            case "Tick" -> "time passes";
            case "Ask" -> "holder " + who + " sends an acquire";
            case "Acquire" -> "the store grants the lock to holder " + owner;
            case "Answered" -> "holder " + who + " reads the reply";
            case "Replace" -> "holder " + who + " asks for a shorter lease";
            case "Renew" -> "holder " + who + " sends a renewal";
            case "Extended" -> "the store executes the extension";
            case "GiveUp" -> "holder " + who + " gives up";
            default -> now.action().toLowerCase(Locale.ROOT);
        };
    }

    private static String state(Step step, int holder) {
        return step.field("holder", holder, "state")
                + step.field("holder", holder, "deadline")
                + step.field("holder", holder, "replacing");
    }

    private void text(int x, int y, String style, String text) {
        add("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>%n", style, x, y, text);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format.replace("%n", "\n"), values));
    }
}
