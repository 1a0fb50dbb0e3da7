"""Methods that lose parameters or results, taken out of the bytecode: the methods, their code and all calls."""
