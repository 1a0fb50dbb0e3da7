"""The algorithms: generators that ask questions and do no input or output."""
