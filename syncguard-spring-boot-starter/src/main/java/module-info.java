/** Locks in Spring Boot applications. */
module dev.syncguard.spring {
    requires transitive dev.syncguard.core;
    requires transitive spring.boot.autoconfigure;
    requires transitive spring.context;
    requires spring.aop;
    requires spring.beans;
    requires spring.boot;
    requires transitive spring.core;
    requires spring.expression;
    requires static com.fasterxml.jackson.annotation;
    requires static com.google.api.apicommon;
    requires static com.zaxxer.hikari;
    requires static dev.syncguard.fence.servlet;
    requires static dev.syncguard.firestore;
    requires static dev.syncguard.micrometer;
    requires static dev.syncguard.postgres;
    requires static dev.syncguard.redis;
    requires static dev.syncguard.sqlite;
    requires static google.cloud.core;
    requires static micrometer.core;
    requires static micrometer.observation;
    requires static google.cloud.firestore;
    requires static org.jspecify;
    requires static org.postgresql.jdbc;
    requires static org.xerial.sqlitejdbc;
    requires static org.reactivestreams;
    requires static reactor.core;
    requires static org.junit.jupiter.api;
    requires static spring.boot.actuator;
    requires static spring.boot.actuator.autoconfigure;
    requires static spring.boot.health;
    requires static spring.boot.sql;
    requires static spring.boot.test;
    requires static spring.data.redis;
    requires static spring.jdbc;
    requires static spring.test;
    requires static spring.tx;
    requires static spring.web;
    requires static spring.webmvc;

    exports dev.syncguard.spring;
    exports dev.syncguard.spring.test;

    opens dev.syncguard.spring.boot;
    opens dev.syncguard.spring.test;
}
