package fji;

interface I {
    String m();

    B n();
}
