package dev.syncguard.spring.boot;

import dev.syncguard.spi.LockBackend;
import java.util.List;
import java.util.stream.Collectors;

/** Finds the store: the one that the properties name, or the only one that the application has. */
final class BackendChooser {

    private static final String PROPERTY = "syncguard.backend";
    private static final String FORMS = "redis://HOST, rediss://HOST, redis-sentinel://HOST#PRIMARY,"
            + " jdbc:postgresql://HOST/DATABASE, sqlite:PATH, firestore://PROJECT or memory:";

    private final SyncGuardProperties properties;
    private final List<BackendSource> sources;

    BackendChooser(SyncGuardProperties properties, List<BackendSource> sources) {
        this.properties = properties;
        this.sources = sources;
    }

    LockBackend choose() {
        String backend = properties.backend();
        if (backend == null || backend.isBlank()) {
            return onlyBean();
        }
        return backend.contains(":") ? byUrl(backend.strip()) : byName(backend.strip());
    }

    private LockBackend byUrl(String url) {
        for (BackendSource source : sources) {
            if (source.accepts(url)) {
                return Settings.checked(PROPERTY, () -> source.open(url));
            }
        }
        for (StoreModule module : StoreModule.values()) {
            if (module.accepts(url)) {
                throw module.missing();
            }
        }
        throw new InvalidSettingException(PROPERTY, "this URL leads to no store; use " + FORMS);
    }

    private LockBackend byName(String name) {
        for (BackendSource source : sources) {
            if (source.name().equals(name) && !source.beans().type().isEmpty()) {
                return fromBean(source);
            }
        }
        for (StoreModule module : StoreModule.values()) {
            if (module.source().equals(name) && module.hasBeans()) {
                throw module.missing();
            }
        }
        throw new InvalidSettingException(
                PROPERTY,
                "'" + name + "' is no store; use redis, postgres or firestore for a bean of the application, or a URL: "
                        + FORMS);
    }

    private LockBackend onlyBean() {
        List<BackendSource> found = sources.stream().filter(this::isCandidate).toList();
        if (found.size() == 1) {
            return fromBean(found.get(0));
        }
        throw found.isEmpty() ? none() : ambiguous(found);
    }

    private boolean isCandidate(BackendSource source) {
        String bean = properties.bean();
        return bean == null ? !source.beans().isEmpty() : source.beans().all().contains(bean);
    }

    private LockBackend fromBean(BackendSource source) {
        BeanCandidates beans = source.beans();
        String wanted = properties.bean();
        if (wanted != null) {
            if (!beans.all().contains(wanted)) {
                throw new InvalidSettingException(
                        "syncguard.bean", "there is no " + beans.type() + " bean named '" + wanted + "'");
            }
            return source.use(wanted);
        }
        if (beans.isEmpty()) {
            throw new BackendChoiceException(
                    "syncguard.backend=" + source.name() + " needs a bean of type " + beans.type()
                            + ", and there is none.",
                    "Configure a " + beans.type() + ", or set syncguard.backend to a URL: " + FORMS + ".");
        }
        if (beans.preferred().size() > 1) {
            throw new BackendChoiceException(
                    "The locks could be kept with any of " + beans.all().size() + " beans of type " + beans.type()
                            + ": " + String.join(", ", beans.all()) + ".",
                    "Choose one by setting syncguard.bean to its name, or make one of them primary.");
        }
        return source.use(beans.preferred().get(0));
    }

    private static BackendChoiceException ambiguous(List<BackendSource> found) {
        String candidates = found.stream()
                .map(source -> source.name() + " (" + source.beans().type() + " "
                        + String.join(", ", source.beans().all()) + ")")
                .collect(Collectors.joining(", "));
        String names = found.stream().map(BackendSource::name).collect(Collectors.joining(" or " + PROPERTY + "="));
        return new BackendChoiceException(
                found.size() + " candidate backends could keep the locks: " + candidates + ".",
                "Choose by setting " + PROPERTY + "=" + names + ".");
    }

    private BackendChoiceException none() {
        List<String> types = BackendSource.types(sources);
        String wanted = properties.bean() == null ? "" : " named '" + properties.bean() + "'";
        String modules = StoreModule.missing(sources);
        return new BackendChoiceException(
                "There is no store to keep locks in: syncguard.backend is not set, and no bean" + wanted
                        + " leads to one"
                        + (types.isEmpty() ? "." : " (looked for: " + String.join(", ", types) + ")."),
                "Set syncguard.backend to a URL (" + FORMS + ")"
                        + (types.isEmpty() ? "" : ", or configure a " + String.join(" or a ", types))
                        + (modules.isEmpty() ? "" : ", or add " + modules)
                        + ". syncguard.enabled=false switches locks off.");
    }
}
