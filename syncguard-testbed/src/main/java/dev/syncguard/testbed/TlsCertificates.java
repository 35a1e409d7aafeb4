package dev.syncguard.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A self-signed certificate for one host name, made by the JDK's keytool, as PEM files. */
public final class TlsCertificates {

    private static final String ALIAS = "server";
    private static final String PASSWORD = "changeit";

    private final Path certificate;
    private final Path key;

    private TlsCertificates(String hostName) {
        try {
            Path directory = Files.createTempDirectory("tls-");
            Path store = directory.resolve("store.p12");
            keytool(store, hostName);
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            certificate =
                    pem(directory, "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded());
            key = pem(
                    directory,
                    "PRIVATE KEY",
                    keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Makes a certificate.
     *
     * @param hostName the DNS name in it
     * @return the files
     */
    public static TlsCertificates forHost(String hostName) {
        return new TlsCertificates(hostName);
    }

    private static void keytool(Path store, String hostName) throws IOException {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        List<String> command = List.of(
                tool.toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-validity",
                "30",
                "-dname",
                "CN=" + hostName,
                "-ext",
                "SAN=dns:" + hostName,
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD);
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("keytool failed: " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Path pem(Path directory, String kind, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        Path file = directory.resolve(kind.replace(' ', '-') + ".pem");
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }

    /**
     * Returns the certificate, which is its own issuer.
     *
     * @return a PEM file
     */
    public Path certificate() {
        return certificate;
    }

    /**
     * Returns the private key.
     *
     * @return a PEM file
     */
    public Path key() {
        return key;
    }
}
