package sample.command;

import java.util.ServiceLoader;
import sample.Command;
import sample.text.Table;

/** {@code help}: all commands, then the text of the resource. */
public final class Help implements Command {
    @Override
    public String name() {
        return "help";
    }

    @Override
    public String run(String argument) {
        Table table = new Table();
        ServiceLoader.load(Command.class).forEach(command -> table.add(command.name(), command.help()));
        return table.sorted() + new Manual().text();
    }
}
