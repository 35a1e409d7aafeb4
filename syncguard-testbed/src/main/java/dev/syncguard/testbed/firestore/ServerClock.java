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
        return Timestamp.newBuilder()
                .setSeconds(last.getEpochSecond())
                .setNanos(last.getNano())
                .build();
    }
}
