package dev.syncguard.spring.boot;

import javax.sql.DataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.util.ClassUtils;

/** A lock is never part of the caller's transaction: a source that hands out the connection of that one is looked through. */
final class TransactionAware {

    static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy",
            TransactionAware.class.getClassLoader());

    private TransactionAware() {}

    static DataSource unwrap(DataSource dataSource) {
        DataSource target = dataSource;
        while (target instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
            target = proxy.getTargetDataSource();
        }
        return target;
    }
}
