package dev.syncguard.testbed.firestore;

import io.grpc.Status;
import java.util.List;

/**
 * The one database that is served: {@code projects/P/databases/(default)}.
 *
 * @param projectId the project
 */
record ResourceRoot(String projectId) {

    private static final String DATABASE_ID = "(default)";

    String database() {
        return "projects/" + projectId + "/databases/" + DATABASE_ID;
    }

    String documents() {
        return database() + "/documents";
    }

    /** Returns the segments below {@code documents}, none for the root itself. */
    List<String> relative(String resource) {
        check(resource);
        if (resource.equals(documents())) {
            return List.of();
        }
        if (!resource.startsWith(documents() + "/")) {
            throw Errors.invalid("Document name \"" + resource + "\" is not below \"" + documents() + "\".");
        }
        return List.of(resource.substring(documents().length() + 1).split("/", -1));
    }

    /** Refuses what belongs to another project or database, as the service does for callers without rights there. */
    void check(String resource) {
        String[] parts = resource.split("/", -1);
        if (parts.length < 4 || !parts[0].equals("projects") || !parts[2].equals("databases")) {
            throw Errors.invalid("Invalid resource name \"" + resource + "\".");
        }
        if (!parts[1].equals(projectId)) {
            throw Status.PERMISSION_DENIED
                    .withDescription("Missing or insufficient permissions.")
                    .asRuntimeException();
        }
        if (!parts[3].equals(DATABASE_ID)) {
            throw Errors.notFound("The database " + parts[3] + " does not exist for project " + projectId + ".");
        }
    }
}
