package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.Target;
import com.google.firestore.v1.TargetChange;
import com.google.firestore.v1.TargetChange.TargetChangeType;
import com.google.protobuf.Timestamp;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One listener's stream. Everything is sent under the database's lock, so in the order of commits. */
final class WatchStream implements StreamObserver<ListenRequest> {

    private final ResourceRoot root;
    private final Database database;
    private final ServerCallStreamObserver<ListenResponse> out;
    private final Map<Integer, WatchTarget> targets = new LinkedHashMap<>();

    WatchStream(ResourceRoot root, Database database, ServerCallStreamObserver<ListenResponse> out) {
        this.root = root;
        this.database = database;
        this.out = out;
        out.setOnCancelHandler(() -> database.unwatch(this));
    }

    @Override
    public void onNext(ListenRequest request) {
        try {
            root.check(request.getDatabase());
            database.watch(this, () -> {
                if (request.hasAddTarget()) {
                    add(request.getAddTarget());
                } else {
                    remove(request.getRemoveTarget());
                }
            });
        } catch (StatusRuntimeException e) {
            database.unwatch(this);
            out.onError(e);
        }
    }

    /** A client that resumes is told to forget what it has: it is sent everything anew. */
    private void add(Target target) {
        WatchTarget added = new WatchTarget(root, target);
        int id = target.getTargetId();
        targets.put(id, added);
        ReadView view = database.newest();
        send(TargetChangeType.ADD, List.of(id), null);
        if (!target.getResumeToken().isEmpty() || target.hasReadTime()) {
            send(TargetChangeType.RESET, List.of(id), null);
        }
        added.refresh(view).forEach(out::onNext);
        send(TargetChangeType.CURRENT, List.of(id), view.time());
        send(TargetChangeType.NO_CHANGE, List.of(), view.time());
    }

    private void remove(int id) {
        if (targets.remove(id) != null) {
            send(TargetChangeType.REMOVE, List.of(id), null);
        }
    }

    void refresh(ReadView view) {
        List<ListenResponse> messages = new ArrayList<>();
        targets.values().forEach(target -> messages.addAll(target.refresh(view)));
        if (!messages.isEmpty()) {
            messages.forEach(out::onNext);
            send(TargetChangeType.NO_CHANGE, List.of(), view.time());
        }
    }

    private void send(TargetChangeType type, List<Integer> ids, @Nullable Timestamp time) {
        TargetChange.Builder change =
                TargetChange.newBuilder().setTargetChangeType(type).addAllTargetIds(ids);
        if (time != null) {
            change.setReadTime(time).setResumeToken(time.toByteString());
        }
        out.onNext(ListenResponse.newBuilder().setTargetChange(change).build());
    }

    @Override
    public void onError(Throwable cancelled) {
        database.unwatch(this);
    }

    @Override
    public void onCompleted() {
        database.unwatch(this);
        out.onCompleted();
    }
}
