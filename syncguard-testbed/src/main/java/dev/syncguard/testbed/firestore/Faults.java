package dev.syncguard.testbed.firestore;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts the calls, and does to the next ones what was asked for. */
final class Faults implements ServerInterceptor {

    private final Map<String, Deque<Fault>> planned = new HashMap<>();
    private final Map<String, Integer> counts = new TreeMap<>();

    synchronized void plan(String rpc, int times, Fault fault) {
        Deque<Fault> queue = planned.computeIfAbsent(rpc, name -> new ArrayDeque<>());
        for (int i = 0; i < times; i++) {
            queue.addLast(fault);
        }
    }

    synchronized void clear() {
        planned.clear();
    }

    synchronized Map<String, Integer> counts() {
        return new TreeMap<>(counts);
    }

    synchronized void clearCounts() {
        counts.clear();
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        Fault fault = arrived(String.valueOf(call.getMethodDescriptor().getBareMethodName()));
        return fault == null ? next.startCall(call, headers) : fault.meet(call, headers, next);
    }

    private synchronized @Nullable Fault arrived(String rpc) {
        counts.merge(rpc, 1, Integer::sum);
        Deque<Fault> queue = planned.get(rpc);
        return queue == null ? null : queue.pollFirst();
    }
}
