package fji;

class A implements I {
    public String m() {
        return "a"; // the bug
    }

    public B n() {
        return null;
    }
}
