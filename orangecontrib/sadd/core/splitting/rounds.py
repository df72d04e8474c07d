"""Searches side by side: a round asks one question of each of them.

Where a question travels, questions of many searches are sent together. Each search
remembers its thresholds and their counts, so no more are under way than fit into one
round, and what has begun is finished before anything else begins. Memory then hardly
depends on the number of rows or of columns.
"""

__all__ = ["ROUND", "search_in_rounds"]

# With eight times as many numbers, a third of the rounds take as long together, and a
# client needs a hundred megabytes more.
ROUND = 2 ** 17


def search_in_rounds(parts, start, ask, numbers, room=ROUND, progress=None):
    """
    Search parts of columns, and the parts into which they fall.

    Parameters
    ----------
    parts : iterable of tuple
        An interval, the column it belongs to, and whatever `start` needs.
    start : callable
        Returns, for the elements of such a tuple, a generator that yields questions, is
        sent the answers, and returns more parts.
    ask : callable
        Takes a list of pairs of column and question; returns the list of answers.
    numbers : callable
        Returns about how many numbers are sent for a column and a question.
    room : int
        About how many numbers may be sent in a round.
    progress : callable, optional
        Called with the fraction of rows, of all columns, that need not be asked about
        any more. May raise an exception to stop the work.
    """
    waiting = [_Search(part, start) for part in parts][::-1]
    overall = max(1., sum(search.size for search in waiting))

    def advance(search, answer):
        more = search.send(answer)
        # Those that come first must be on top
        waiting.extend([search] if more is None else
                       [_Search(part, start) for part in reversed(more)])

    while waiting:
        if progress is not None:
            progress(1 - min(1., sum(search.size for search in waiting) / overall))
        turn, left = [], room
        while waiting and left > 0:
            search = waiting.pop()
            if search.question is None:
                advance(search, None)
                continue
            needed = numbers(search.column, search.question)
            if turn and needed > left:
                waiting.append(search)
                break
            turn.append(search)
            left -= needed
        answers = ask([(search.column, search.question) for search in turn]) \
            if turn else []
        for search, answer in zip(turn[::-1], answers[::-1], strict=True):
            advance(search, answer)


class _Search:
    """A search and the question that it has asked last."""

    def __init__(self, part, start):
        interval, self.column, *_ = part
        self.size = interval.size
        self.question = None
        self._search = start(*part)

    def send(self, answer):
        """Go on with the search; return more parts if it has ended, or else None."""
        try:
            self.question = self._search.send(answer)
        except StopIteration as stop:
            return stop.value
        return None
