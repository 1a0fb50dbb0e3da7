package warm;

import java.util.List;
import sootup.core.model.SootMethod;
import sootup.java.bytecode.frontend.inputlocation.DefaultRuntimeAnalysisInputLocation;
import sootup.java.bytecode.frontend.inputlocation.JavaClassPathAnalysisInputLocation;
import sootup.java.core.JavaSootClass;
import sootup.java.core.views.JavaView;

/**
 * Has SootUp translate each method of a class path to Jimple; prints a stack trace for each class that it fails on.
 *
 * <p>{@code java -cp FOLDER:SOOTUP warm.SootUp JAR}; exit code 1 if there was a failure.
 */
public final class SootUp {
    private SootUp() {}

    public static void main(String[] arguments) {
        JavaClassPathAnalysisInputLocation jar = new JavaClassPathAnalysisInputLocation(arguments[0]);
        JavaView view = new JavaView(List.of(jar, new DefaultRuntimeAnalysisInputLocation()));
        boolean failed = false;
        for (var source : jar.getClassSources(view).toList()) {
            try {
                JavaSootClass type = view.getClass(source.getClassType()).orElseThrow();
                type.getMethods().stream().filter(SootMethod::hasBody).forEach(SootMethod::getBody);
            } catch (RuntimeException | Error failure) {
                failed = true;
                System.err.print("Exception in class " + source.getClassType() + " ");
                failure.printStackTrace();
            }
        }
        System.exit(failed ? 1 : 0);
    }
}
