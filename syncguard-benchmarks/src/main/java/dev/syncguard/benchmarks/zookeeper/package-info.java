/** ZooKeeper in this process, with Curator: another way to do the same work. */
@NullMarked
package dev.syncguard.benchmarks.zookeeper;

import org.jspecify.annotations.NullMarked;
