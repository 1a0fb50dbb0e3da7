"""Generic signatures (JVMS 4.7.9.1): read, their type arguments, and where a class file uses them."""
