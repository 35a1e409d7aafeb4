package dev.syncguard.testbed.firestore;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import com.google.firestore.v1.FirestoreGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.util.concurrent.atomic.AtomicInteger;

/** A server, reached by the official client and by bare calls. */
final class FirestoreUnderTest implements AutoCloseable {

    static final String PROJECT = "syncguard-test";
    static final String DATABASE = "projects/" + PROJECT + "/databases/(default)";

    private static final AtomicInteger COLLECTIONS = new AtomicInteger();

    final Firestore client;
    private final ManagedChannel channel;

    FirestoreUnderTest(String hostAndPort) {
        this(hostAndPort, PROJECT, "(default)");
    }

    FirestoreUnderTest(String hostAndPort, String project, String database) {
        client = FirestoreOptions.newBuilder()
                .setProjectId(project)
                .setDatabaseId(database)
                .setEmulatorHost(hostAndPort)
                .build()
                .getService();
        channel = NettyChannelBuilder.forTarget(hostAndPort).usePlaintext().build();
    }

    /** A collection that nobody else uses. */
    CollectionReference collection() {
        return client.collection("c" + COLLECTIONS.incrementAndGet() + "-" + System.nanoTime());
    }

    /** Calls as they go over the wire. The emulator lets an owner do everything. */
    FirestoreGrpc.FirestoreBlockingStub calls() {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("Authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer owner");
        return FirestoreGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    RawTransaction begin() {
        return RawTransaction.begin(calls());
    }

    @Override
    public void close() {
        channel.shutdownNow();
        client.shutdownNow();
    }
}
