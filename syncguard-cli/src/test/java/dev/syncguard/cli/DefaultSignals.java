package dev.syncguard.cli;

import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import java.util.List;

/**
 * Gives the signals that this JVM inherited as ignored their default action again, for every process that it starts
 * afterwards. The test command may have been started in the background of a script (INT) or with nohup (HUP); a shell
 * cannot undo that, and the JDK refuses to.
 */
final class DefaultSignals {

    private static final int HUP = 1;
    private static final int INT = 2;
    private static final int QUIT = 3;
    private static final int TERM = 15;
    private static final int TSTP = Platform.isMac() ? 18 : 20;
    private static final long IGNORED = 1;
    private static final long LARGER_THAN_ANY_SIGACTION = 512;

    /** The part of the C library that is needed; called by JNA under these names. */
    interface Signals extends Library {

        int sigaction(int signal, Pointer action, Pointer before);

        Pointer signal(int signal, Pointer handler);
    }

    private DefaultSignals() {}

    /** Leaves alone what is not ignored: the JVM's own handlers end the servers of the tests. */
    static void restore() {
        System.setProperty("jna.tmpdir", System.getProperty("java.io.tmpdir")); // instead of the user's home
        Signals library = Native.load("c", Signals.class);
        for (int signal : List.of(HUP, INT, QUIT, TERM, TSTP)) {
            if (isIgnored(library, signal)) {
                library.signal(signal, Pointer.NULL);
            }
        }
    }

    private static boolean isIgnored(Signals library, int signal) {
        try (Memory action = new Memory(LARGER_THAN_ANY_SIGACTION)) {
            action.clear();
            if (library.sigaction(signal, Pointer.NULL, action) != 0) {
                throw new IllegalStateException("sigaction failed for signal " + signal);
            }
            return Pointer.nativeValue(action.getPointer(0)) == IGNORED; // the handler is the first field
        }
    }
}
