"""Whoever asks what an algorithm wants to know: answers its questions by a predicate, without any jar."""

from core.search.questions import First, Least, Test


class ListAsker:
    """Answers questions by the rules of ``core/search/questions.py`` and keeps the tests that were run."""

    def __init__(self, predicate, *, cache=True, admissible=lambda candidate: True):
        self.predicate = predicate
        self.cache = {} if cache else None
        self.admissible = admissible
        self.trace = []

    def interesting(self, candidate):
        key = frozenset(candidate)
        if self.cache is not None and key in self.cache:
            return self.cache[key]
        if not self.admissible(candidate):
            return False
        yes = bool(self.predicate(candidate))
        self.trace.append((list(candidate), yes))
        if self.cache is not None:
            self.cache[key] = yes
        return yes

    def run(self, algorithm):
        answer = None
        while True:
            try:
                question = algorithm.send(answer)
            except StopIteration as end:
                return list(end.value)
            match question:
                case Test(candidate):
                    answer = self.interesting(candidate)
                case First(candidates):
                    answer = next((i for i, c in enumerate(candidates) if self.interesting(c)), None)
                case Least(prefixes):
                    low, high = 0, len(prefixes) - 1
                    while low <= high:
                        middle = (low + high) // 2
                        if self.interesting(prefixes[middle]):
                            high = middle - 1
                        else:
                            low = middle + 1
                    answer = low


class ItemAsker:
    """Answers by bisection and in order, with a cache by content or not; keeps the tests that were run."""

    def __init__(self, predicate, items=frozenset, *, cache=True):
        self.predicate = predicate
        self.items = items
        self.cache = cache
        self.answers = {}
        self.trace = []

    def interesting(self, candidate):
        kept = self.items(candidate)
        if kept not in self.answers or not self.cache:
            self.answers[kept] = bool(self.predicate(kept))
            self.trace.append([len(candidate), "T" if self.answers[kept] else "F"])
        return self.answers[kept]

    def run(self, algorithm):
        answer = None
        while True:
            try:
                question = algorithm.send(answer)
            except StopIteration as end:
                return end.value
            match question:
                case Test(candidate):
                    answer = self.interesting(candidate)
                case First(candidates):
                    answer = next((i for i, c in enumerate(candidates) if self.interesting(c)), None)
                case Least(prefixes):
                    low, high = 0, len(prefixes) - 1
                    while low <= high:
                        middle = (low + high) // 2
                        if self.interesting(prefixes[middle]):
                            high = middle - 1
                        else:
                            low = middle + 1
                    answer = min(low, len(prefixes) - 1)
