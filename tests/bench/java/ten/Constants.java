/** Constants with bodies, for Java 17: Procyon 0.6.0 writes "enum Constants permits Constants$1". */
enum Constants {
    ONE {
        @Override
        int number() {
            return 1;
        }
    };

    abstract int number();
}
