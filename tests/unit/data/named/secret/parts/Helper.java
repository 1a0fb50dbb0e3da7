package secret.parts;
public class Helper implements Greeting { public int helped() { return 6; } public int greeted(int times) { return times * 11; } }
