"""A program whose parts stay or go by the level of trust, and a watched run of it."""

from __future__ import annotations

from dataclasses import replace

from core.evidence.clues import Ran

SOURCES = {
    "app/Main.java": """package app;
public class Main {
    static Shape shape = new Square();
    public static void main(String[] words) {
        if (words.length > 9) rarely();
        shape.area();
        Colour.valueOf("RED");
    }
    static void rarely() { new Round(); Object plugin = "app.Named"; Object helper = new Helper(); }
    private static void never() { new Unused(); System.out.println("never"); System.out.println("at all"); }
    static void apart() { System.out.println("apart"); System.out.println("from all"); System.out.println("else"); }
}""",
    "app/Shape.java": "package app; interface Shape { int area(); }",
    "app/Square.java": """package app;
class Square implements Shape { public int area() { return 4; } public void named() { } }""",
    "app/Lookup.java": """package app;
class Lookup {
    static void call(Object on, String name) throws Exception { on.getClass().getMethod(name).invoke(on); }
}""",
    "app/LookupOne.java": """package app;
class LookupOne { static Object find(Object on) throws Exception { return on.getClass().getMethod("help"); } }""",
    "app/Compares.java": """package app;
class Compares { static boolean ours(String name) { return name.startsWith("plug."); } }""",
    "app/Spares.java": """package app; public class Spares { public static int used() { return 1; }
    public static void spare() { System.out.println("nobody"); System.out.println("calls"); } }
class Uses { static int use() { return Spares.used(); } }
class Shows { static void show() throws Exception { if (Uses.use() > 1) Later.hand(); } }
class Later { static void hand() throws Exception { Lookup.call(Spares.class, "spare"); } }
class ByName { static void find() throws Exception { Lookup.call(Class.forName("app.Spares"), "spare"); } }""",
    "app/Round.java": """package app;
class Round extends Base implements Shape { public String toString() { return "round"; } }""",
    "app/Base.java": """package app;
class Base { public int area() { System.out.println("in a class above"); return 3; }
    public int length() { System.out.println("nobody"); System.out.println("calls"); return 1; } }""",
    "app/Helper.java": """package app;
class Helper { public int help() { System.out.println("by"); System.out.println("reflection"); return 1; }
    int aside() { System.out.println("by"); System.out.println("reflection"); return 2; } }""",
    "app/Named.java": "package app; class Named { Named() { } int area() { System.out.println(1); return 5; } }",
    "app/Unused.java": "package app; class Unused { }",
    "app/Colour.java": """package app;
enum Colour { RED; static void mix() { System.out.println("mixed"); System.out.println("well"); } }""",
    "app/ByWord.java": """package app; class ByWord {
    static Object find() throws Exception { return AsksFor.method(Sought.class, "sought"); } }
class ByText { static String[] call() { return new String[] {"app.Sought", "sought"}; } }
class AsksFor { static Object method(Class<?> of, String name) throws Exception { return of.getDeclaredMethod(name); } }
class Sought { private void sought() { System.out.println("found by"); System.out.println("its name"); }
    private void other() { System.out.println("nobody"); System.out.println("calls"); } }""",
    "app/Makes.java": "package app; class Makes { static Object value() { return Value.class; } }",
    "app/Value.java": """package app;
class Value { Value(int one) { System.out.println("made by"); System.out.println("reflection"); } }""",
    "app/Takes.java": """package app; class Takes { java.util.List<Part> parts; Takes(Given one) { } }
class Given { Given(int one) { System.out.println("made by"); System.out.println("reflection"); } }
class Part { Part() { System.out.println("made by"); System.out.println("reflection"); } }
class Hands { static Object value() { return Takes.class; } }
class ReadsTypes { static Object read(java.lang.reflect.Constructor<?> of) { return of.getParameterTypes(); } }""",
    "app/Wide.java": """package app; interface Wide { int wide(); }
interface Narrow extends Wide { }
class Does implements Wide { public int wide() { System.out.println("one"); System.out.println("two"); return 1; } }
class Narrows { static int call(Narrow on) { Object made = new Does(); return on.wide(); } }
class Proxies { static Object make(java.lang.reflect.InvocationHandler by) {
    return java.lang.reflect.Proxy.newProxyInstance(null, null, by); } }""",
    "app/Kept.java": """package app;
class Kept implements java.io.Serializable {
    private void readObject(java.io.ObjectInputStream in) { System.out.println("read"); }
    int shown() { for (int i = 0; i < 9; i++) System.out.println("nobody" + "calls"); return hashCode() * 31; }
    private void tidy() { System.out.println("tidied"); System.out.println("up"); }
}""",
    "app/Numbered.java": """package app; class Numbered implements java.io.Serializable {
    static final long serialVersionUID = 1; long apart = 2;
    int spare() { System.out.println("nobody"); System.out.println("calls"); return 1; } }""",
    "app/Streams.java": """package app; class Streams {
    static Object read(java.io.InputStream from) throws Exception { return new java.io.ObjectInputStream(from); } }""",
    "app/Calls.java": """package app;
class Calls { interface Shown { int shown(); } int call(Shown one) { return one.shown(); } }""",
    "app/Beans.java": """package app; class Beans {
    static Object look(Class<?> at) throws Exception { return java.beans.Introspector.getBeanInfo(at); } }""",
    "app/Native.java": "package app; class Native { static native void call(); }",
    "app/Lists.java": "package app; class Lists { Object list() { return getClass().getMethods(); } }",
    "app/Listed.java": """package app;
class Listed extends Lists { public int shown() { System.out.println(1); System.out.println(2); return 3; } }""",
    "app/Noted.java": """package app; @Mark @Asked @Many({@One, @One}) class Noted {
    static Object ask(Class<?> one) { return one.getAnnotation(Asked.class); }
    static Object all(Class<?> one) { return one.getAnnotationsByType(One.class); } }
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface Mark { }
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface Asked { }
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface Many { One[] value(); }
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface One { }
class ListsNotes { static Object list(Class<?> one) { return one.getAnnotations(); } }""",
    "app/Noting.java": """package app; @With(Valued.class) class Noting { }
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface With { Class<?> value(); }
class Valued { Valued(int one) { System.out.println("made by"); System.out.println("reflection"); } }""",
    "app/Hashed.java": """package app; class Hashed { public int hashCode() { return 1; }
    public boolean equals(Object other) { return other instanceof Hashed && ((Hashed) other).hashCode() == 1; } }""",
    "app/Served.java": "package app; public class Served implements Runnable { public void run() { } }",
    "app/Offered.java": "package app; public class Offered implements Shape { public int area() { return 1; } }",
    "app/Started.java": "package app; public class Started { }",
    "app/Tool.java": "package app; public class Tool { public static void main(String[] words) { } }",
    "app/InFile.java": "package app; public class InFile { }",
    "app/Finder.java": """package app;
class Finder {
    static class Beside { }
    static Object find(String name) throws Exception { return Class.forName("plug." + name).newInstance(); }
    static Object any(String name) throws Exception { return Class.forName("app.Holder$" + name).newInstance(); }
}""",
    "app/Holder.java": "package app; class Holder { static class Held { } }",
    "app/Lister.java": "package app; class Lister { int count() { return Finder.class.getDeclaredClasses().length; } }",
    "app/Maker.java": "package app; class Maker { Object make() { return null; } }",
    "app/Other.java": """package app;
class Other extends Maker { String make() { System.out.println("made"); return "a string" + new Unused(); } }""",
    "app/Caller.java": """package app;
class Caller { static int call(java.io.InputStream from) throws Exception { return from.read(); } }""",
    "app/Counter.java": """package app;
class Counter { public int read() { System.out.println("no stream"); System.out.println("at all"); return 1; } }""",
    "app/Stream.java": """package app;
class Stream extends java.io.InputStream { public int read() { System.out.println("one"); return -1; } }""",
    "plug/Plug.java": "package plug; public class Plug { }",
    "by/Package.java": """package by;
class Package { Object make(String name) throws Exception {
    return Class.forName(getClass().getPackage().getName() + "." + name).newInstance(); } }""",
    "by/Beside.java": "package by; class Beside { }",
    "by/Joins.java": """package by; class Joins { static class Fast { } static class Slow { }
    void add(java.util.Map<String, String> to) { to.put("fast", Joins.class.getName() + "$Fast"); } }""",
    "by/name/Owner.java": """package by.name;
class Owner { Object make(String name) throws Exception { return Class.forName(Store.class.getName() + name); } }""",
    "by/name/Store.java": "package by.name; class Store { }",
    "by/name/StoreFast.java": "package by.name; class StoreFast { }",
    "by/name/Start.java": """package by.name;
class Start { Object make(String name) throws Exception { return Class.forName("by.name.Un" + name); } }""",
    "by/name/Until.java": "package by.name; class Until { }",
    "by/help/Loads.java": """package by.help;
class Loads { static Object load(String name) throws Exception { return Class.forName(name); }
    static Object near(Class<?> one, String name) throws Exception { return load(one.getPackageName() + name); } }""",
    "by/help/Asks.java": """package by.help;
class Asks { Object make() throws Exception { return Loads.load(Asks.class.getPackage().getName() + ".deep.Down"); } }
class Hands { Object make(String name) throws Exception { return Loads.near(by.help.near.One.class, name); } }""",
    "by/help/Tells.java": """package by.help;
class Tells { String name() { return getClass().getPackage().getName() + ".deep.Down"; } }""",
    "by/help/deep/Down.java": "package by.help.deep; class Down { }",
    "by/help/near/One.java": "package by.help.near; public class One { }",
    "by/help/near/Other.java": "package by.help.near; class Other { }",
    "in/Words.java": """package in;
class Words extends java.util.ListResourceBundle { protected Object[][] getContents() { return null; } }""",
    "in/Words_de.java": "package in; class Words_de extends Words { }",
    "in/Facade.java": "package in; class Facade extends Facade_Part { }",
    "in/Client.java": "package in; class Client { public static void main(String[] words) { new Facade(); } }",
    "in/Facade_Part.java": """package in;
class Facade_Part { static void apart() { System.out.println("nobody"); System.out.println("calls"); } }""",
    "in/part/Part.java": "package in.part; public interface Part { }",
    "in/other/Fourth.java": """package in.other; public class Fourth implements in.part.Part {
    public void setWidth(int to) { System.out.println("set by"); System.out.println("reflection"); } }
class Fifth implements in.part.Part { }""",
    "in/part/First.java": "package in.part; class First implements Part { }",
    "in/part/Second.java": "package in.part; class Second implements Part { }",
    "in/part/Third.java": "package in.part; class Third { }",
    "in/Private.java": """package in;
class Private { static String[] names = {"aside", "area"};
    Object find(String name) throws Exception { return getClass().getDeclaredMethod(name); }
    private void found() { System.out.println("found"); System.out.println("by"); System.out.println("name"); } }""",
    "in/Reader.java": """package in;
class Reader { Object read(String name) { return getClass().getResource("/" + name + ".ending"); }
    Object draw(int number) { return getClass().getResource("/picture" + number + ".bin"); } }""",
    "in/note/package-info.java": "@Deprecated package in.note;",
    "in/note/Note.java": "package in.note; class Note { }",
    "in/Tracer.java": "package in; class Tracer { void trace(Error bad) { bad.printStackTrace(System.out); } }",
}
RAN = Ran(
    loaded=frozenset({"app/Main", "app/Shape", "app/Square", "app/Colour", "app/Kept"}),
    covered=frozenset({"app/Main", "app/Square", "app/Colour"}),
    missed=frozenset(
        (f"app/{name}", method, "()V")
        for name, methods in (("Main", ("rarely", "never", "apart")), ("Colour", ("mix",)), ("Square", ("named",)))
        for method in methods
    ),
    read=frozenset({"app/asked.txt"}),
)


def with_loaded(*names: str) -> Ran:
    return replace(RAN, loaded=RAN.loaded | {*names}, covered=RAN.covered | {*names})
