package sample;

import java.util.ServiceLoader;

/** Starts the calculator: without arguments its self-check, otherwise the named command. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        if (arguments.length == 0) {
            System.out.println("self-check: " + new SelfCheck().run() + " literals read");
            return;
        }
        for (Command command : ServiceLoader.load(Command.class)) {
            if (command.name().equals(arguments[0])) {
                System.out.println(command.run(arguments.length > 1 ? arguments[1] : ""));
                return;
            }
        }
        System.out.println("no such command: " + arguments[0] + " (try: help)");
    }
}
