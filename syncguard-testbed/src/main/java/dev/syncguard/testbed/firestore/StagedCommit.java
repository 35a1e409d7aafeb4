package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.Document;
import com.google.protobuf.Timestamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a commit would do to the present state.
 *
 * @param changes one for each document that it writes
 * @param time the commit time
 * @param response for the caller
 */
record StagedCommit(List<Change> changes, Timestamp time, CommitResponse response) {

    /** Throws what the service answers if a precondition does not hold. */
    static StagedCommit of(List<WriteOperation> writes, Snapshot snapshot, Timestamp time) {
        Map<DocumentName, Change> changes = new LinkedHashMap<>();
        CommitResponse.Builder response = CommitResponse.newBuilder().setCommitTime(time);
        for (WriteOperation write : writes) {
            DocumentName name = write.name();
            Document stored = snapshot.get(name);
            Change earlier = changes.get(name);
            @Nullable Document before = earlier == null ? stored : earlier.after();
            WriteOperation.Outcome outcome = write.apply(before, time);
            changes.put(name, new Change(name, stored, outcome.document()));
            response.addWriteResults(outcome.result());
        }
        return new StagedCommit(new ArrayList<>(changes.values()), time, response.build());
    }
}
