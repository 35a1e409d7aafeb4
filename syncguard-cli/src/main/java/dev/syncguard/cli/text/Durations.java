package dev.syncguard.cli.text;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads and writes times as people do: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h}, {@code 1d}. */
public final class Durations implements ITypeConverter<Duration> {

    /** Made by picocli. */
    public Durations() {}

    @Override
    public Duration convert(String text) {
        int digits = 0;
        while (digits < text.length() && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
            digits++;
        }
        if (digits == 0 || digits > 12) {
            throw malformed();
        }
        long number = Long.parseLong(text.substring(0, digits));
        return switch (text.substring(digits)) {
            case "ms" -> Duration.ofMillis(number);
            case "s", "" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            case "d" -> Duration.ofDays(number);
            default -> throw malformed();
        };
    }

    private static TypeConversionException malformed() {
        return new TypeConversionException("a time is a whole number with ms, s, m, h or d, such as 30s");
    }

    /**
     * Writes a time in its two largest units.
     *
     * @param millis the time
     * @return for example {@code 4.2s} or {@code 3m 20s}
     */
    public static String text(long millis) {
        long seconds = millis / 1000;
        if (seconds < 60) {
            return seconds + "." + millis % 1000 / 100 + "s";
        }
        if (seconds < 3600) {
            return seconds / 60 + "m " + seconds % 60 + "s";
        }
        return seconds < 86_400
                ? seconds / 3600 + "h " + seconds % 3600 / 60 + "m"
                : seconds / 86_400 + "d " + seconds % 86_400 / 3600 + "h";
    }
}
