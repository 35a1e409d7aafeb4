package dev.syncguard.spring.boot;

import java.util.Arrays;
import java.util.List;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The beans of a type.
 *
 * @param type the simple name of the type; empty if no bean leads to the store
 * @param all all names
 * @param preferred the primary one, or all
 */
record BeanCandidates(String type, List<String> all, List<String> preferred) {

    static final BeanCandidates NONE = new BeanCandidates("", List.of(), List.of());

    static BeanCandidates of(ConfigurableListableBeanFactory beans, Class<?> type) {
        List<String> all = Arrays.stream(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type))
                .filter(name -> !beans.containsBeanDefinition(name)
                        || beans.getBeanDefinition(name).isAutowireCandidate())
                .toList();
        List<String> primary = all.stream()
                .filter(name -> beans.containsBeanDefinition(name)
                        && beans.getBeanDefinition(name).isPrimary())
                .toList();
        return new BeanCandidates(type.getSimpleName(), all, primary.size() == 1 ? primary : all);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }
}
