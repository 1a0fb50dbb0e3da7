package secret.parts; public interface Greeting { int greeted(int times); }
