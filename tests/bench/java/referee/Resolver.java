package referee;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Asks the virtual machine's own link resolver about members (JVMS 5.4.3, with access control), without loading the
 * classes of their descriptors and without initialising anything. The way in is what {@code java.lang.invoke} uses.
 */
final class Resolver {
    /** A member as it was found: the class that has it, and its access flags. */
    record Found(Class<?> owner, int access) {
        boolean is(int flag) {
            return (access & flag) != 0;
        }
    }

    private static final int FIELD_KIND = 0x40000;
    private static final int CONSTRUCTOR_KIND = 0x20000;
    private static final int METHOD_KIND = 0x10000;
    private static final int ALL_MODES = 0x1f;
    private static final int TRUSTED = -1;

    private static final Constructor<?> NEW_NAME;
    private static final Method INIT;
    private static final Method RESOLVE;
    private static final Field FLAGS;
    private static final Field OWNER;
    private static final Constructor<MethodHandles.Lookup> LOOKUP;

    static {
        try {
            Class<?> memberName = Class.forName("java.lang.invoke.MemberName");
            NEW_NAME = memberName.getDeclaredConstructor();
            INIT = memberName.getDeclaredMethod("init", Class.class, String.class, Object.class, int.class);
            RESOLVE = Class.forName("java.lang.invoke.MethodHandleNatives")
                    .getDeclaredMethod("resolve", memberName, Class.class, int.class, boolean.class);
            FLAGS = memberName.getDeclaredField("flags");
            OWNER = memberName.getDeclaredField("clazz");
            LOOKUP = MethodHandles.Lookup.class.getDeclaredConstructor(Class.class);
            LOOKUP.setAccessible(true);
            NEW_NAME.setAccessible(true);
            INIT.setAccessible(true);
            RESOLVE.setAccessible(true);
            FLAGS.setAccessible(true);
            OWNER.setAccessible(true);
        } catch (ReflectiveOperationException error) {
            throw new ExceptionInInitializerError(error);
        }
    }

    private Resolver() {}

    /**
     * Resolves a member as {@code caller} would, or without access control for null.
     *
     * @param kind a reference kind of JVMS 4.4.8
     */
    static Found resolve(int kind, Class<?> owner, String name, String descriptor, Class<?> caller) throws Throwable {
        try {
            int what = kind <= 4 ? FIELD_KIND : kind == 8 ? CONSTRUCTOR_KIND : METHOD_KIND;
            Object member = NEW_NAME.newInstance();
            INIT.invoke(member, owner, name, descriptor, what | kind << 24);
            Object found = RESOLVE.invoke(null, member, caller, caller == null ? TRUSTED : ALL_MODES, false);
            return found == null ? null : new Found((Class<?>) OWNER.get(found), FLAGS.getInt(found) & 0xffff);
        } catch (InvocationTargetException error) {
            throw error.getCause();
        }
    }

    /** The lookup that {@code MethodHandles.lookup()} gives to the class itself. */
    static MethodHandles.Lookup lookup(Class<?> type) {
        try {
            return LOOKUP.newInstance(type);
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Verifies and prepares a class; throws what the machine throws. */
    static void link(Class<?> type) throws Throwable {
        try {
            // A class is linked before a member is looked for in it.
            resolve(6, type, "<no such>", "()V", null);
        } catch (NoSuchMethodError expected) {
            // This is what comes after linking.
        }
    }
}
