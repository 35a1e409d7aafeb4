package dev.syncguard.faults.history;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads lines of histories; equal texts become one object. */
public final class EventReader {

    private final JsonFactory json = new JsonFactory();
    private final Map<String, String> texts = new HashMap<>();

    /**
     * Reads a line.
     *
     * @param line JSON
     * @return the event
     * @throws IOException if it is not a whole line
     */
    public Event read(String line) throws IOException {
        Event event = new Event();
        try (JsonParser parser = json.createParser(line)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                read(event, name, parser);
            }
        }
        return event;
    }

    private void read(Event event, String name, JsonParser parser) throws IOException {
        switch (name) {
            case "t" -> event.time = parser.getLongValue();
            case "n" -> event.operation = parser.getLongValue();
            case "until" -> event.until = parser.getLongValue();
            case "ttl" -> event.ttl = parser.getLongValue();
            case "threads", "locks", "took" -> event.number = parser.getLongValue();
            case "p" -> event.process = text(parser);
            case "e" -> event.event = text(parser);
            case "f" -> event.function = text(parser);
            case "key" -> event.key = text(parser);
            case "id" -> event.id = text(parser);
            case "fence" -> event.fence = text(parser);
            case "code", "reason", "kind" -> event.text = text(parser);
            case "how", "phase" -> event.how = text(parser);
            case "by", "target" -> event.target = text(parser);
            case "note" -> event.note = text(parser);
            case "value" -> event.value = text(parser);
            case "valid", "released", "extended", "accepted", "found" -> event.yes = parser.getBooleanValue();
            case "unknown" -> event.unknown = parser.getBooleanValue();
            case "contended" -> event.contended = parser.getBooleanValue();
            case "excuses", "keys" -> event.items = list(parser);
            default -> parser.skipChildren();
        }
    }

    private List<String> list(JsonParser parser) throws IOException {
        List<String> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(text(parser));
        }
        return items;
    }

    private String text(JsonParser parser) throws IOException {
        return texts.computeIfAbsent(parser.getText(), text -> text);
    }
}
