package fji;

class M {
    String x(I a) {
        return a.m();
    }

    String main() {
        return new M().x(new A());
    }
}
