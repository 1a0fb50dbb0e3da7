package sample.command;

import sample.Command;
import sample.text.Scanner;
import sample.text.Token;
import sample.unit.Quantity;
import sample.unit.Units;

/** {@code convert "3 km inch"}. */
public final class Convert implements Command {
    @Override
    public String name() {
        return "convert";
    }

    @Override
    public String run(String argument) {
        Scanner scanner = new Scanner(argument);
        Units units = new Units();
        Token amount = scanner.next();
        Quantity quantity = units.get(scanner.next().text()).of(amount.value());
        return quantity.in(units.get(scanner.next().text())).toString();
    }

    @Override
    public String help() {
        return "an amount in another unit";
    }
}
