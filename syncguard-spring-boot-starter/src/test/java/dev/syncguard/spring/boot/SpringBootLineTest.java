package dev.syncguard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.util.ClassUtils;

class SpringBootLineTest {

    @Test
    @DisplayName("this run has the Spring Boot that it is named after, and the health types of one line only")
    void expected() {
        String expected = System.getProperty("spring-boot.expected");
        assumeTrue(expected != null, "started by hand");

        assertThat(SpringBootVersion.getVersion()).isEqualTo(expected);
        assertThat(isPresent("org.springframework.boot.actuate.health.HealthIndicator"))
                .isEqualTo(expected.startsWith("3."));
        assertThat(isPresent("org.springframework.boot.health.contributor.HealthIndicator"))
                .isEqualTo(!expected.startsWith("3."));
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, getLoader());
    }

    private static ClassLoader getLoader() {
        return SpringBootLineTest.class.getClassLoader();
    }
}
