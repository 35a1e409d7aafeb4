package dev.syncguard.testbed.firestore;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What happens to one call. */
sealed interface Fault {

    <Q, R> ServerCall.Listener<Q> meet(ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next);

    /**
     * Nothing is executed.
     *
     * @param status the answer
     */
    record Refusal(Status status) implements Fault {

        @Override
        public <Q, R> ServerCall.Listener<Q> meet(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            call.close(status, new Metadata());
            return new ServerCall.Listener<>() {};
        }
    }

    /**
     * Executed late.
     *
     * @param held what it waits for
     * @param limit how long at most
     */
    record Hold(HeldCall held, Duration limit) implements Fault {

        @Override
        public <Q, R> ServerCall.Listener<Q> meet(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            held.stay(limit);
            return next.startCall(call, headers);
        }
    }

    /**
     * Executed, but a success is not told.
     *
     * @param status told instead, or null if nothing is ever told
     */
    record LostReply(@Nullable Status status) implements Fault {

        @Override
        public <Q, R> ServerCall.Listener<Q> meet(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            return next.startCall(new Deaf<>(call, status), headers);
        }
    }

    /** A call whose replies get lost. */
    final class Deaf<Q, R> extends SimpleForwardingServerCall<Q, R> {

        private final @Nullable Status instead;

        Deaf(ServerCall<Q, R> call, @Nullable Status instead) {
            super(call);
            this.instead = instead;
        }

        @Override
        public void sendHeaders(Metadata headers) {}

        @Override
        public void sendMessage(R message) {}

        @Override
        public void close(Status status, Metadata trailers) {
            if (!status.isOk()) {
                super.close(status, trailers);
            } else if (instead != null) {
                super.close(instead, new Metadata());
            }
        }
    }
}
