package dev.syncguard.tck;

import dev.syncguard.Fence;
import java.util.Optional;

/** What the tests of a fence guard protect: values in the guard's store, written as an application would write them. */
public interface FencedStore {

    /**
     * Writes a value behind the guard, in one atomic step with it, and commits. Repeats what the store asks to repeat, as
     * a serialization failure.
     *
     * @param resource the name of the value, and of the resource
     * @param fence the fence of the writer
     * @param value what to write
     * @throws Exception what the guard throws, unchanged; nothing may be written then
     */
    void write(String resource, Fence fence, String value) throws Exception;

    /**
     * Begins like {@link #write}, but ends after the guard has let the writer pass and the value is written, before the
     * commit: as a crash or a rollback does.
     *
     * @param resource the name of the value, and of the resource
     * @param fence the fence of the writer
     * @param value what to write
     * @return whether the store can do that; false if guard and write are one indivisible request
     * @throws Exception what the guard throws, unchanged
     */
    boolean writeAndCrash(String resource, Fence fence, String value) throws Exception;

    /**
     * Returns a committed value, read without the guard.
     *
     * @param resource the name of the value
     * @return the value as it stands, or empty if there is none
     * @throws Exception if the store fails
     */
    Optional<String> read(String resource) throws Exception;

    /**
     * Asks the guard for the highest fence of a resource.
     *
     * @param resource the name of the resource
     * @return what the guard answers
     * @throws Exception what the guard throws, unchanged
     */
    Optional<Fence> highest(String resource) throws Exception;
}
