package sample.shell;

import java.util.Scanner;
import sample.Command;
import sample.command.Evaluate;

/** A line at a time from standard input; the jar's second program. */
public final class Shell {
    private final History history = new History();
    private final Command evaluate = new Evaluate();
    private final Listener listener;

    Shell(Listener listener) {
        this.listener = listener;
    }

    public static void main(String[] arguments) {
        new Shell(new Listener() {
            @Override
            public void answered(Shell shell, String line, String answer) {
                System.out.println(shell.prompt() + line + " = " + answer);
            }
        }).read(new Scanner(System.in));
    }

    private String prompt() {
        int lines = 0;
        for (String ignored : history) {
            lines++;
        }
        return "[" + lines + "] ";
    }

    private void read(Scanner lines) {
        while (lines.hasNextLine()) {
            String line = lines.nextLine();
            history.add(line);
            String answer;
            try {
                answer = evaluate.run(line);
            } catch (RuntimeException error) {
                answer = error.getMessage();
            }
            listener.answered(this, line, answer);
        }
    }

    /** Hears of every answer. */
    interface Listener {
        void answered(Shell shell, String line, String answer);
    }
}
