package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where {@code ./mvnw} keeps Maven: a JDK is all that it may ask for, not a home directory. */
class MavenWrapperTest {

    @TempDir
    Path directory;

    private Cli cli;

    @BeforeEach
    void setUp() throws IOException {
        for (String name : new String[] {"a home", "the user's home", "project"}) {
            Files.createDirectory(directory.resolve(name));
        }
        cli = Cli.on("memory:")
                .with("ROOT", Cli.LAUNCHER.getParent().toString())
                .with("DIR", directory.toString());
    }

    /** The directory and the local repository, if that must be named. The database of users knows the given home. */
    private String chosen(String environment, String databaseHome) {
        Cli.Result result = cli.shell("unset MAVEN_USER_HOME HOME; cd \"$DIR\"; " + environment
                + "; . \"$ROOT/.mvn/wrapper/home.sh\"; set -euf; choose_maven_user_home \"" + databaseHome
                + "\" \"$DIR/project\"; echo \"$MAVEN_USER_HOME,$MVNW_REPOSITORY\"");
        return result.exits(0).out().strip().replace(directory + "/", "");
    }

    @Test
    @DisplayName("HOME counts where it can be used, MAVEN_USER_HOME everywhere")
    void asUsual() {
        assertThat(chosen("HOME=\"$DIR/a home\"", "$DIR/the user's home")).isEqualTo("a home/.m2,");
        assertThat(chosen("HOME=\"$DIR/a home\" MAVEN_USER_HOME=\"$DIR/m\"", "$DIR/the user's home"))
                .isEqualTo("m,");
    }

    @Test
    @DisplayName("without a usable HOME it is the home that the JVM takes")
    void noHome() {
        for (String environment : new String[] {":", "HOME=", "HOME=/no/such/home", "HOME=relative"}) {
            assertThat(chosen(environment, "$DIR/the user's home"))
                    .as(environment)
                    .isEqualTo("the user's home/.m2,");
        }
    }

    @Test
    @DisplayName("where the JVM finds no home Maven is told where its repository is")
    void noHomeForTheJvm() {
        assertThat(chosen("HOME=\"$DIR/a home\"", "/no/such/home")).isEqualTo("a home/.m2,a home/.m2/repository");
        assertThat(chosen(":", "")).isEqualTo("project/.m2,project/.m2/repository");
    }

    @Test
    @DisplayName("a .m2 that is no directory is not used")
    void unusable() throws IOException {
        Files.createFile(directory.resolve("a home/.m2"));
        assertThat(chosen("HOME=\"$DIR/a home\"", "$DIR/the user's home")).isEqualTo("the user's home/.m2,");
    }

    @Test
    @DisplayName("with no directory at all it says what to do")
    void nowhere() {
        Cli.Result result = cli.shell("unset MAVEN_USER_HOME HOME; . \"$ROOT/.mvn/wrapper/home.sh\";"
                + " choose_maven_user_home '' /no/such/project");
        assertThat(result.exits(1).err()).contains("Set MAVEN_USER_HOME to a directory");
    }

    @Test
    @DisplayName("a user that the system does not know, without HOME: mvnw starts Maven from the project's directory")
    void unknownUser() throws IOException {
        Path project = directory.resolve("project");
        Path wrapper = Files.createDirectories(project.resolve(".mvn/wrapper"));
        Path root = Cli.LAUNCHER.getParent();
        Files.copy(root.resolve("mvnw"), project.resolve("mvnw"), StandardCopyOption.COPY_ATTRIBUTES);
        for (String name : new String[] {"home.sh", "maven-wrapper.properties"}) {
            Files.copy(root.resolve(".mvn/wrapper").resolve(name), wrapper.resolve(name));
        }
        executable(distribution(wrapper, project.resolve(".m2")).resolve("bin/mvn"), "printf '<%s>' \"$@\"");
        executable(directory.resolve("bin/id"), "exit 1");

        Cli.Result result = cli.shell("unset HOME MAVEN_USER_HOME MVNW_REPOURL; PATH=\"$DIR/bin:$PATH\";"
                + " cd \"$DIR/project\" && ./mvnw verify 'a b'");
        assertThat(result.exits(0).out())
                .isEqualTo("<-Dmaven.repo.local=" + project.resolve(".m2/repository") + "><verify><a b>");
    }

    @Test
    @DisplayName("the home of the user database is the one that the JVM takes")
    void databaseHome() {
        String home = cli.shell("unset HOME; . \"$ROOT/.mvn/wrapper/home.sh\"; database_home")
                .exits(0)
                .out()
                .strip();
        String known = System.getProperty("user.home");
        if (home.isEmpty()) {
            assertThat(known).isIn("?", System.getenv("HOME"));
        } else {
            assertThat(known).isEqualTo(home);
        }
    }

    /** Where the wrapper looks for the Maven that its settings name. */
    private static Path distribution(Path wrapper, Path m2) throws IOException {
        Properties settings = new Properties();
        settings.load(new StringReader(Files.readString(wrapper.resolve("maven-wrapper.properties"))));
        String url = settings.getProperty("distributionUrl");
        String name = url.substring(url.lastIndexOf('/') + 1).replace("-bin.zip", "");
        return m2.resolve("wrapper/dists").resolve(name).resolve(Integer.toHexString(url.hashCode()));
    }

    private static void executable(Path file, String script) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
