package dev.syncguard.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmallFileTest {

    @TempDir
    private Path directory;

    private Path file(byte[] content) throws IOException {
        return Files.write(directory.resolve("file"), content);
    }

    private Path file(String content) throws IOException {
        return file(content.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName("lines end as anywhere, and the mark of an editor is no part of the first one")
    void lines() throws IOException {
        assertThat(SmallFile.lines(file("s3cret"))).containsExactly("s3cret");
        assertThat(SmallFile.lines(file("s3cret\r\nmore\n"))).containsExactly("s3cret", "more");
        assertThat(SmallFile.lines(file("\uFEFFs3cret\n"))).containsExactly("s3cret");
        assertThat(SmallFile.lines(file(" p\uFEFF\n"))).containsExactly(" p\uFEFF");
        assertThat(SmallFile.lines(file(""))).isEmpty();
    }

    @Test
    @DisplayName("what is too long is not read, what is not UTF-8 is refused")
    void refused() throws IOException {
        assertThat(SmallFile.lines(file("x".repeat(65_536)))).hasSize(1);
        assertThat(SmallFile.lines(file("x".repeat(65_537)))).isNull();
        Path foreign = file(new byte[] {'p', (byte) 0xFF});
        assertThatThrownBy(() -> SmallFile.lines(foreign)).isInstanceOf(CharacterCodingException.class);
    }
}
