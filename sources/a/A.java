package a;
class A {
    int m() {
        return x;
    }
}
