package dev.syncguard.redis;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reply as a flat list of texts and numbers; nested lists are flattened. */
final class RedisReply extends CommandOutput<String, String, List<Object>> {

    private static final Long UNSEEN = -7L;

    /** Stands for the outcome if the script of an application ran to its end and returned an error; its text follows. */
    static final Long RETURNED_ERROR = -4L;

    private boolean redirected;

    RedisReply() {
        super(StringCodec.UTF8, new ArrayList<>(6));
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
        output.add(bytes == null ? "" : text(bytes));
    }

    @Override
    public void set(long integer) {
        output.add(integer);
    }

    /** Only a script of an application has one. The driver would close the connection for a type that is not expected. */
    @Override
    public void set(double number) {
        output.add(Double.toString(number));
    }

    /** As a server says it to an older protocol: 1, or nothing. */
    @Override
    public void set(boolean value) {
        output.add(value ? (Object) 1L : "");
    }

    @Override
    public void setBigNumber(ByteBuffer bytes) {
        set(bytes);
    }

    /**
     * Inside of a reply it is a value: the driver would take it for the failure of the command, as which it could mean that
     * nothing was executed.
     */
    @Override
    public void setError(ByteBuffer error) {
        if (output.isEmpty()) {
            super.setError(error);
        } else if (!output.get(0).equals(RETURNED_ERROR)) {
            output.set(0, RETURNED_ERROR);
            output.add(1, text(error));
        }
    }

    /** The driver clears what a node of a cluster answered (MOVED, ASK) before it asks another node. */
    @Override
    public void setError(@Nullable String error) {
        redirected = error == null;
        super.setError(error);
    }

    /** Whether a node has answered that it did not execute the command since this was asked last. */
    boolean takeRedirected() {
        boolean taken = redirected;
        redirected = false;
        return taken;
    }

    /** The driver logs it, and it may hold identifiers. */
    @Override
    public String toString() {
        return "RedisReply";
    }

    /** The driver's codec wraps and slices the buffer first. */
    private static String text(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return new String(copy, StandardCharsets.UTF_8);
    }

    /** Whether an index entry names a lock that the script did not see; its name is the second element. */
    static boolean isUnseen(List<Object> reply) {
        return reply.size() == 2 && reply.get(0).equals(UNSEEN);
    }

    static long number(List<Object> reply, int index) {
        if (index < reply.size() && reply.get(index) instanceof Long number) {
            return number;
        }
        throw unexpected();
    }

    static String text(List<Object> reply, int index) {
        if (index < reply.size() && reply.get(index) instanceof String text) {
            return text;
        }
        throw unexpected();
    }

    /** As {@link Fence#parse}, without the cost of a pattern. */
    static Fence fence(List<Object> reply, int index) {
        String text = text(reply, index);
        return new Fence(digits(text, 0, text.length()));
    }

    /** A part of a text as a number. */
    static long digits(String text, int from, int to) {
        if (from >= to || to > text.length() || to - from > 15) {
            throw unexpected();
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                throw unexpected();
            }
            value = value * 10 + digit - '0';
        }
        return value;
    }

    static LockId lockId(List<Object> reply, int index) {
        try {
            return LockId.parse(text(reply, index));
        } catch (LockException e) {
            throw foreign();
        }
    }

    /** A lock id that a script repeats. */
    static LockId echo(String text) {
        try {
            return LockId.parse(text);
        } catch (LockException e) {
            throw unexpected();
        }
    }

    static LockException foreign() {
        return new LockException(
                Code.INTERNAL,
                "foreign value at lock key: not a lock of this library; remove it, or use another key or prefix");
    }

    static LockException unexpected() {
        return new LockException(
                Code.INTERNAL, "unexpected script reply; is the connection in a transaction?", null, true);
    }
}
