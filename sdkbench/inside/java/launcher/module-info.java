/**
 * A module of its own that opens nothing: judged code, which is on the class path of the same
 * virtual machine, can't reach into it by reflection. Test classes call `entry`, the virtual machine `loader`.
 */
module sdkbench.launcher {
    requires org.junit.platform.launcher;

    exports sdkbench.entry;
    exports sdkbench.loader;
}
