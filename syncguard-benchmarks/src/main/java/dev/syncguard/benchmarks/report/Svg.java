package dev.syncguard.benchmarks.report;

import java.util.Locale;

/** A drawing that is readable on light and on dark pages. */
final class Svg {

    private static final String STYLE = """
            text { font: 13px sans-serif; fill: #24292f } .title { font-weight: bold; font-size: 15px }
            .small { font-size: 11px; fill: #57606a } .end { text-anchor: end } .middle { text-anchor: middle }
            .axis { stroke: #8c959f; stroke-width: 1 } .range { stroke: #24292f; stroke-width: 1.5 }
            .ours { fill: #0969da; stroke: none } .floor { fill: #8c959f; stroke: none } .peer { fill: #bf8700; stroke: none }
            .line { fill: none; stroke-width: 2 }
            .c0 { stroke: #0969da } .c1 { stroke: #bf8700 } .c2 { stroke: #1a7f37 } .c3 { stroke: #cf222e }
            @media (prefers-color-scheme: dark) {
              text { fill: #e6edf3 } .small { fill: #9198a1 } .range { stroke: #e6edf3 }
              .ours { fill: #4493f8 } .floor { fill: #656c76 } .peer { fill: #d29922 }
              .c0 { stroke: #4493f8 } .c1 { stroke: #d29922 } .c2 { stroke: #3fb950 } .c3 { stroke: #f85149 }
            }
            """;

    private final StringBuilder body = new StringBuilder();
    private final int width;
    private final int height;

    Svg(int width, int height, String title) {
        this.width = width;
        this.height = height;
        text("title", 10, 22, title);
    }

    void text(String style, double x, double y, String text) {
        add("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>", style, x, y, escaped(text));
    }

    void bar(String style, double x, double y, double wide, double high) {
        add("<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", style, x, y, wide, high);
    }

    void line(String style, double x1, double y1, double x2, double y2) {
        add("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", style, x1, y1, x2, y2);
    }

    private void add(String format, Object... values) {
        body.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">%n<style>%n%s"
                        + "</style>%n%s</svg>%n",
                width,
                height,
                width,
                height,
                STYLE,
                body);
    }
}
