package secret.start;
import java.io.*; import java.lang.annotation.*; import java.util.*; import java.util.function.*;
import secret.parts.*;
public class Launcher<ELEMENT extends Comparable<ELEMENT>> extends Ancestor implements Serializable {
    private static final long serialVersionUID = 7;
    @Retention(RetentionPolicy.RUNTIME)
    @interface Marked { String wording() default "nothing"; Colour[] shades() default {}; Class<?> kind(); }
    enum Colour { CRIMSON, TURQUOISE { int weight() { return 2; } }; int weight() { return 1; } }
    record Measure<ELEMENT>(int breadth, @Deprecated ELEMENT height) {
        Measure { if (breadth < 0) throw new IllegalStateException(); }
    }
    sealed interface Figure permits Circle, Square { double surface(); }
    record Circle(double radius) implements Figure { public double surface() { return radius; } }
    record Square(double side) implements Figure { public double surface() { return side * side; } }
    interface Transformer<FROM, INTO> { INTO transformed(FROM given); default int twofold() { return 2; } }
    class Member<OTHER> { ELEMENT element; OTHER other; }
    private ELEMENT greatest; Launcher<ELEMENT>.Member<String> member;
    @Marked(wording = "a marked method", shades = {Colour.CRIMSON, Colour.TURQUOISE}, kind = Launcher.class)
    int counted(int amount, String... names) {
        Transformer<Integer, String> transformer = given -> "number " + given + amount;
        Supplier<Helper> making = Helper::new;
        int[] sums = {0};
        new Object() { void adding() { sums[0] += amount + transformer.transformed(1).length(); } }.adding();
        class Local implements Runnable { public void run() { sums[0]++; } }
        new Local().run();
        return sums[0] + making.get().helped() + transformer.twofold() + names.length + overridden();
    }
    @Override public int overridden() { return 10 * super.overridden(); }
    static int surfaces(Figure figure) {
        return figure instanceof Circle circle ? 3 * (int) circle.surface() : (int) ((Square) figure).side();
    }
    static int chosen(Colour colour) { switch (colour) { case CRIMSON: return 4; default: return colour.weight(); } }
    public static void main(String[] arguments) throws Exception {
        Launcher<String> launcher = new Launcher<>();
        launcher.member = launcher.new Member<>();
        System.out.println(launcher.counted(5, "one", "two") + surfaces(new Circle(2)) + surfaces(new Square(3)));
        System.out.println(chosen(Colour.CRIMSON) + chosen(Colour.TURQUOISE) + Colour.valueOf("CRIMSON").ordinal());
        System.out.println(new Measure<>(1, 2).equals(new Measure<>(1, 2)) ? 1 : 0);
        Object found = Class.forName("secret.parts.Helper").getDeclaredConstructor().newInstance();
        System.out.println(found.getClass().getMethod("helped").invoke(found));
        var counted = Launcher.class.getDeclaredMethod("counted", int.class, String[].class);
        Marked marked = counted.getAnnotation(Marked.class);
        System.out.println(marked.shades()[0].ordinal() + marked.wording().length() + marked.kind().getName().length() * 0);
        for (Greeting greeting : ServiceLoader.load(Greeting.class)) System.out.println(greeting.greeted(3));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(new Launcher<String>());
        ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        System.out.println(stream.readObject() != null ? 2 : 3);
        System.out.println(String.format("%d of %1$s pieces", 4).length());
        InputStream resource = Launcher.class.getResourceAsStream("/secret/parts/wordings.txt");
        System.out.println(resource.readAllBytes().length);
        switch (arguments.length == 0 ? "alphabet" : "beginning") {
            case "alphabet": System.out.println(8); break;
            default: System.out.println(9);
        }
    }
}
