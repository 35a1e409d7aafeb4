package dev.syncguard.testbed.firestore;

import com.google.protobuf.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;

/** The server's time. Times that it gives out are in microseconds and strictly increase, until the offset changes. */
final class ServerClock {

    static final Comparator<Timestamp> ORDER =
            Comparator.comparingLong(Timestamp::getSeconds).thenComparingInt(Timestamp::getNanos);

    private Duration offset = Duration.ZERO;
    private Instant last = Instant.MIN;

    void offset(Duration offset) {
        this.offset = offset;
        last = Instant.MIN;
    }

    Instant now() {
        return Instant.now().plus(offset);
    }

    Timestamp next() {
        Instant now = now().truncatedTo(ChronoUnit.MICROS);
        last = now.isAfter(last) ? now : last.plus(1, ChronoUnit.MICROS);
        return timestamp(last);
    }

    /** The precision of the times that the service writes into fields. */
    static Timestamp milliseconds(Timestamp time) {
        return timestamp(
                Instant.ofEpochSecond(time.getSeconds(), time.getNanos()).truncatedTo(ChronoUnit.MILLIS));
    }

    private static Timestamp timestamp(Instant time) {
        return Timestamp.newBuilder()
                .setSeconds(time.getEpochSecond())
                .setNanos(time.getNano())
                .build();
    }
}
