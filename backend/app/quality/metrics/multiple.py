"""P values of several tests at once."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """P values adjusted by the step-down procedure of Holm (1979), in the order given: below a
    level for any of them is by chance alone no more often than that level, whatever the tests
    have to do with each other. One p value stays as it is."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = largest
    return adjusted
