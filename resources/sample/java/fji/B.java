package fji;

class B implements I {
    public String m() {
        return "b";
    }

    public B n() {
        return this;
    }
}
