/** A switch that assigns in one case: Vineflower 1.12.0 makes an expression of it that has no value in the others. */
class Assigned {
    static boolean open() {
        return true;
    }

    static int least(int[] states, int bits) {
        int kind = Integer.MAX_VALUE, i = states.length;
        do {
            switch (states[--i]) {
                case 0:
                    if (open() && kind > 7) kind = 7;
                    break;
                default:
                    if (bits == 0 || i == 3) break;
                    else break;
            }
        } while (i != 0);
        return kind;
    }
}
