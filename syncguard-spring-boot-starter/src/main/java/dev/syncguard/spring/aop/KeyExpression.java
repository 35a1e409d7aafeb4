package dev.syncguard.spring.aop;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import java.lang.reflect.Method;
import java.time.temporal.Temporal;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The key of a locked method, as an expression over its arguments. */
final class KeyExpression implements LockedMethod.KeySource {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final Set<String> ALWAYS = Set.of("root", "this");

    private final Method method;
    private final String description;
    private final SpelExpression expression;
    private final BeanResolver beans;

    private KeyExpression(Method method, String description, SpelExpression expression, BeanResolver beans) {
        this.method = method;
        this.description = description;
        this.expression = expression;
        this.beans = beans;
    }

    static KeyExpression of(Method method, String description, String text, BeanResolver beans) {
        try {
            SpelExpression expression = PARSER.parseRaw(text);
            checkVariables(expression.getAST(), method);
            return new KeyExpression(method, description, expression, beans);
        } catch (ParseException | IllegalStateException e) {
            throw new IllegalStateException("the key \"" + text + "\" is no expression: " + e.getMessage(), e);
        }
    }

    /** A misspelt variable is null, and all calls would share the lock of {@code 'invoice:null'}. */
    private static void checkVariables(SpelNode node, Method method) {
        if (node instanceof VariableReference) {
            String name = node.toStringAST().substring(1);
            if (!ALWAYS.contains(name) && !isParameter(name, method)) {
                throw new IllegalStateException("#" + name + " is no parameter of the method; " + known(method));
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            checkVariables(node.getChild(i), method);
        }
    }

    private static boolean isParameter(String name, Method method) {
        for (int i = 0; i < method.getParameterCount(); i++) {
            if (name.equals("p" + i) || name.equals("a" + i)) {
                return true;
            }
        }
        return names(method).contains(name);
    }

    private static List<String> names(Method method) {
        String[] names = NAMES.getParameterNames(method);
        return names == null ? List.of() : Arrays.asList(names);
    }

    private static String known(Method method) {
        if (method.getParameterCount() == 0) {
            return "it has none";
        }
        return names(method).isEmpty()
                ? "their names are not in the class file: compile with -parameters, or write #p0, #p1"
                : "there are #" + String.join(", #", names(method));
    }

    @Override
    public String of(Object target, @Nullable Object[] arguments) {
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(target, method, arguments, NAMES);
        context.setBeanResolver(beans);
        Object value;
        try {
            value = expression.getValue(context);
        } catch (EvaluationException e) {
            throw invalid("failed: " + e.getMessage() + " (a fixed text stands in quotes: \"'text'\")", e);
        }
        if (value == null) {
            throw invalid("gives null", null);
        }
        if (!isText(value)) {
            throw invalid(
                    "gives a " + value.getClass().getName()
                            + ", whose text may differ for equal objects; name one of its properties",
                    null);
        }
        try {
            return LockKey.of(value.toString()).value();
        } catch (LockException e) {
            throw invalid("gives no key: " + e.getMessage(), e);
        }
    }

    private static boolean isText(Object value) {
        return value instanceof CharSequence
                || value instanceof Number
                || value instanceof Character
                || value instanceof Boolean
                || value instanceof Enum<?>
                || value instanceof UUID
                || value instanceof Temporal;
    }

    private LockException invalid(String what, @Nullable Throwable cause) {
        return new LockException(
                Code.INVALID_ARGUMENT,
                description + ": the key \"" + expression.getExpressionString() + "\" " + what,
                cause);
    }
}
