package sample;

/** One command of the calculator; found through META-INF/services. */
public interface Command {
    String name();

    String run(String argument);

    default String help() {
        return "no help";
    }
}
