package secret.parts;
public class Ancestor { protected int overridden() { return packaged(); } int packaged() { return 1; } }
