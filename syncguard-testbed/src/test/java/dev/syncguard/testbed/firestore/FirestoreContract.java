package dev.syncguard.testbed.firestore;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;

/** All contracts, on one server. */
abstract class FirestoreContract {

    abstract FirestoreUnderTest server();

    /** How many threads a test of concurrency starts. */
    abstract int threads();

    /** What each of them does so many times. */
    abstract int rounds();

    /** Sets how long a write waits for locks, if that can be set. */
    abstract void lockLimit(Duration limit);

    /** Does a write that is willing to wait longer than the server lets it. */
    abstract void patiently(ThrowingCallable write) throws Throwable;

    @Nested
    class Writing extends WriteContract {
        @Override
        FirestoreContract contract() {
            return FirestoreContract.this;
        }
    }

    @Nested
    class Transactions extends TransactionContract {
        @Override
        FirestoreContract contract() {
            return FirestoreContract.this;
        }
    }

    @Nested
    class Locks extends LockContract {
        @Override
        FirestoreContract contract() {
            return FirestoreContract.this;
        }
    }

    @Nested
    class Client extends ClientContract {
        @Override
        FirestoreContract contract() {
            return FirestoreContract.this;
        }
    }

    @Nested
    class Concurrency extends ConcurrencyContract {
        @Override
        FirestoreUnderTest server() {
            return FirestoreContract.this.server();
        }

        @Override
        int threads() {
            return FirestoreContract.this.threads();
        }

        @Override
        int rounds() {
            return FirestoreContract.this.rounds();
        }
    }

    @Nested
    class Queries extends QueryContract {
        @Override
        FirestoreContract contract() {
            return FirestoreContract.this;
        }
    }

    @Nested
    class Listeners extends ListenContract {
        @Override
        FirestoreContract contract() {
            return FirestoreContract.this;
        }
    }
}
