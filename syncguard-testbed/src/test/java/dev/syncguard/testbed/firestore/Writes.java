package dev.syncguard.testbed.firestore;

import com.google.cloud.firestore.DocumentReference;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc.FirestoreBlockingStub;
import com.google.firestore.v1.Precondition;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.StructuredQuery.FieldFilter;
import com.google.firestore.v1.StructuredQuery.FieldReference;
import com.google.firestore.v1.StructuredQuery.Filter;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import java.util.List;

/** Messages for bare calls. The field is always {@code n}. */
final class Writes {

    private Writes() {}

    static String name(DocumentReference document) {
        return FirestoreUnderTest.DATABASE + "/documents/" + document.getPath();
    }

    static Write set(DocumentReference document, long n) {
        return Write.newBuilder()
                .setUpdate(Document.newBuilder().setName(name(document)).putFields("n", integer(n)))
                .build();
    }

    static Write delete(DocumentReference document) {
        return Write.newBuilder().setDelete(name(document)).build();
    }

    static Write ifExists(boolean exists, Write write) {
        return write.toBuilder()
                .setCurrentDocument(Precondition.newBuilder().setExists(exists))
                .build();
    }

    static Write ifUpdatedAt(Timestamp time, Write write) {
        return write.toBuilder()
                .setCurrentDocument(Precondition.newBuilder().setUpdateTime(time))
                .build();
    }

    static Value integer(long n) {
        return Value.newBuilder().setIntegerValue(n).build();
    }

    static CommitResponse commit(FirestoreBlockingStub calls, Write... writes) {
        return commit(calls, ByteString.EMPTY, writes);
    }

    static CommitResponse commit(FirestoreBlockingStub calls, ByteString transaction, Write... writes) {
        return calls.commit(CommitRequest.newBuilder()
                .setDatabase(FirestoreUnderTest.DATABASE)
                .setTransaction(transaction)
                .addAllWrites(List.of(writes))
                .build());
    }

    /** All documents of a collection whose field has a value. */
    static StructuredQuery whereEqual(String collection, long n) {
        return StructuredQuery.newBuilder()
                .addFrom(CollectionSelector.newBuilder().setCollectionId(collection))
                .setWhere(Filter.newBuilder()
                        .setFieldFilter(FieldFilter.newBuilder()
                                .setField(FieldReference.newBuilder().setFieldPath("n"))
                                .setOp(FieldFilter.Operator.EQUAL)
                                .setValue(integer(n))))
                .build();
    }
}
