package dev.syncguard.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.fence.StaleFenceException;
import io.grpc.Status;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the guard of Firestore has beside the contract. */
@Timeout(120)
class FirestoreFenceGuardTest {

    private static final Fence OLD = new Fence(1);
    private static final Fence NEW = new Fence(2);

    private final Firestore client = TestServer.sharedClient();
    private final FirestoreFenceGuard fences = FirestoreFenceGuard.create(client);
    private final String resource = "account:" + UUID.randomUUID();
    private final DocumentReference data = client.collection("journal").document(resource);

    @Test
    @DisplayName("an older writer between check and commit is overtaken: it is repeated by the client and refused")
    void overtaken() throws Exception {
        CountDownLatch checked = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        var late = client.runTransaction(transaction -> {
            fences.advance(transaction, resource, OLD);
            checked.countDown();
            if (runs.incrementAndGet() == 1) {
                Thread.sleep(200); // whoever commits first: the outcome below is the same
            }
            return transaction.set(data, Map.of("writer", "old"));
        });
        assertThat(checked.await(60, TimeUnit.SECONDS)).isTrue();

        new FencedFirestore(client, fences, false).write(resource, NEW, "new");

        boolean refused = false;
        try {
            late.get();
        } catch (ExecutionException e) {
            refused = isStale(e);
            assertThat(refused).isTrue();
        }
        assertThat(fences.highest(resource)).contains(NEW);
        assertThat(data.get().get().exists()).isEqualTo(!refused);
    }

    private static boolean isStale(Throwable failure) {
        return failure != null && (failure instanceof StaleFenceException || isStale(failure.getCause()));
    }

    @Test
    @DisplayName("a commit whose reply is lost is run again by the client: refused if a newer holder came in between")
    void lostReply() throws Exception {
        try (TestServer own = TestServer.start()) {
            FirestoreFenceGuard guard = FirestoreFenceGuard.create(own.client());
            DocumentReference account = own.client().collection("journal").document("a");
            AtomicInteger runs = new AtomicInteger();
            own.server().loseReply("Commit", Status.Code.UNAVAILABLE, 1);

            var late = own.client().runTransaction(transaction -> {
                if (runs.incrementAndGet() == 2) { // the first one is committed
                    assertThat(account.get().get().getString("writer")).isEqualTo("old");
                    new FencedFirestore(own.client(), guard, false).write(resource, NEW, "new");
                }
                guard.advance(transaction, resource, OLD);
                return transaction.set(account, Map.of("writer", "old"));
            });

            assertThatThrownBy(late::get).hasRootCauseInstanceOf(StaleFenceException.class);
            assertThat(runs).hasValue(2);
            assertThat(guard.highest(resource)).contains(NEW);
        }
    }

    @Test
    @DisplayName("a guard's fence is a document with the fence as 15 digits and the resource")
    void layout() throws Exception {
        client.runTransaction(transaction -> {
                    fences.advance(transaction, resource, NEW);
                    return true;
                })
                .get();

        assertThat(client.collection("fences").document(resource).get().get().getData())
                .isEqualTo(Map.of("fence", "000000000000002", "resource", resource));
    }

    @Test
    @DisplayName("a read after the check fails at the holder's first write, and not only when another one was there")
    void readsComeFirst() throws Exception {
        for (Fence fence : new Fence[] {OLD, OLD, NEW}) {
            assertThatThrownBy(() -> client.runTransaction(transaction -> {
                                fences.advance(transaction, resource, fence);
                                return transaction.get(data).get();
                            })
                            .get())
                    .hasStackTraceContaining("reads to be executed before all writes");
            new FencedFirestore(client, fences, false).write(resource, fence, "v");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "", "00000000000000x", "number", "other"})
    @DisplayName("a foreign document stops every write, and stays")
    void foreign(String fence) throws Exception {
        Map<String, Object> foreign = switch (fence) {
            case "number" -> Map.of("fence", 2, "resource", resource);
            case "other" -> Map.of("fence", "000000000000001", "resource", "another resource");
            default -> Map.of("fence", fence, "resource", resource);
        };
        DocumentReference document = client.collection("fences").document(resource);
        document.set(foreign).get();

        assertThatThrownBy(() -> new FencedFirestore(client, fences, false).write(resource, NEW, "v"))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.INTERNAL));

        assertThat(document.get().get().getString("resource")).isEqualTo(foreign.get("resource"));
        assertThatThrownBy(() -> fences.highest(resource)).isInstanceOf(LockException.class);
    }

    @Test
    @DisplayName("another collection is another guard")
    void otherCollection() throws Exception {
        FirestoreFenceGuard other = FirestoreFenceGuard.in(client, "other_fences");
        new FencedFirestore(client, other, false).write(resource, NEW, "v");

        assertThat(other.highest(resource)).contains(NEW);
        assertThat(fences.highest(resource)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", ".", "..", "__x__"})
    @DisplayName("what is no id of a collection is refused")
    void badCollection(String name) {
        assertThatThrownBy(() -> FirestoreFenceGuard.in(client, name))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT));
    }

    @Test
    @DisplayName("missing arguments are invalid arguments, in the future of the asynchronous form")
    void badInput() {
        assertThatThrownBy(() -> FirestoreFenceGuard.create(null)).isInstanceOf(LockException.class);
        assertThatThrownBy(() -> fences.advance(null, resource, NEW)).isInstanceOf(LockException.class);
        assertThatThrownBy(() -> fences.advanceAsync(null, resource, NEW).get())
                .hasCauseInstanceOf(LockException.class);
    }
}
