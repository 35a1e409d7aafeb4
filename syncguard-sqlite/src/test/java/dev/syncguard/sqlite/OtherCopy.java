package dev.syncguard.sqlite;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockIds;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Function;

/** What another web application of the same JVM does: the same classes, from a class loader of its own. */
final class OtherCopy implements Function<Path, String>, Closeable {

    private final URLClassLoader classes;
    private final Function<Path, String> user;

    private OtherCopy(URLClassLoader classes, Function<Path, String> user) {
        this.classes = classes;
        this.user = user;
    }

    static OtherCopy load() throws ReflectiveOperationException {
        URL[] jars = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(OtherCopy::url)
                .toArray(URL[]::new);
        URLClassLoader classes = new URLClassLoader(jars, ClassLoader.getPlatformClassLoader());
        var constructor = classes.loadClass(User.class.getName()).getDeclaredConstructor();
        constructor.setAccessible(true);
        @SuppressWarnings("unchecked")
        Function<Path, String> user = (Function<Path, String>) constructor.newInstance();
        return new OtherCopy(classes, user);
    }

    private static URL url(String path) {
        try {
            return Path.of(path).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Acquires a new key in the file and keeps the file open: "granted", or the message of the failure. */
    @Override
    public String apply(Path file) {
        return user.apply(file);
    }

    @Override
    public void close() throws IOException {
        ((Closeable) user).close();
        classes.close();
    }

    /** The part that runs in the other class loader. */
    static final class User implements Function<Path, String>, Closeable {

        private SqliteLockBackend backend;

        @Override
        public String apply(Path file) {
            close();
            backend = SqliteLockBackend.open(file);
            AcquireRequest request = new AcquireRequest(
                    LockKey.of("other:" + System.nanoTime()), LockIds.random(), new Ttl(60_000), false);
            try {
                return backend.acquire(request, AbortSignal.none()) instanceof Granted ? "granted" : "refused";
            } catch (LockException e) {
                return e.getMessage();
            }
        }

        @Override
        public void close() {
            if (backend != null) {
                backend.close();
            }
        }
    }
}
