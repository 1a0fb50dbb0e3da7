/** One variable of two cases: Vineflower 1.12.0 declares it twice in one scope, where the class file has its name. */
class Scoped {
    int position, size;
    int[] points;

    int ahead(int by) {
        int offset;
        switch (Integer.signum(by)) {
            case -1:
                offset = position + by;
                if (offset < 0) return -1;
                return points[offset];
            case 0:
                return 0;
            case 1:
                offset = position + by - 1;
                if (offset >= size) return -1;
                return points[offset];
        }
        throw new UnsupportedOperationException();
    }
}
