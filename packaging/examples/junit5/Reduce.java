import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The jar that a test gives to a tool, and that is reduced when the test fails. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Reduce {
    String value();

    /** Seconds that the reduction may take. */
    int seconds() default 600;
}
