package warm;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.pool.TypePool;

/** Has Byte Buddy redefine a class with advice in each method: a program for {@link Each}, compiled with its jar. */
public final class ByteBuddy {
    private ByteBuddy() {}

    public static void main(String[] arguments) {
        if (arguments[0].equals("module-info")) return; // no type
        ClassFileLocator files = ClassFileLocator.ForClassLoader.of(Thread.currentThread().getContextClassLoader());
        TypeDescription type = TypePool.Default.of(files).describe(arguments[0]).resolve();
        new net.bytebuddy.ByteBuddy().redefine(type, files)
                .visit(Advice.to(Entered.class).on(ElementMatchers.isMethod())).make();
    }

    /** Advice that reads the name of the method. */
    private static final class Entered {
        @Advice.OnMethodEnter
        static void enter(@Advice.Origin String method) {}
    }
}
