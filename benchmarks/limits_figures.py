"""How much of a provider's limits was used, and how long fresh answers waited."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from statistics import quantiles

REQUESTS, TOKENS, MINUTE = 600, 400_000, 60.0
# Of one reply of the stub.
MAX_TOKENS = 900


def p95(seconds: Sequence[float]) -> float:
    return quantiles(seconds, n=20, method="inclusive")[18]


def end_of_full_window(served: Sequence[tuple[float, int]], halved: float) -> float:
    """Until when the server served nobody after its limits were halved, because the minute before
    had more than it now allows."""
    times = [at for at, _ in served]
    end = halved
    while end < times[-1]:
        first, last = bisect_right(times, end - MINUTE), bisect_right(times, end)
        tokens = sum(each for _, each in served[first:last])
        if last - first < REQUESTS / 2 and tokens < TOKENS / 2 - MAX_TOKENS:
            break
        end += 0.1
    return end


def utilisation(served: Sequence[tuple[float, int]], began: float, halved: float) -> float:
    """The mean, over each second but those of the first minute and of the backlog's last answers,
    of what the minute before it was served, as a share of what was allowed: of requests or
    tokens, whichever is more, and no more than all."""
    times = [at for at, _ in served]
    sums = [0, *accumulate(tokens for _, tokens in served)]
    shares = []
    second, end = began + MINUTE, times[-20]
    while second < end:
        first, last = bisect_right(times, second - MINUTE), bisect_right(times, second)
        part = 0.5 if second >= halved else 1
        of_requests = (last - first) / (REQUESTS * part)
        of_tokens = (sums[last] - sums[first]) / (TOKENS * part)
        shares.append(min(1, max(of_requests, of_tokens)))
        second += 1
    return sum(shares) / len(shares) if shares else float("nan")


def shares(
    served: Sequence[tuple[float, int]], refused: Sequence[float], began: float, halved: float
) -> list[str]:
    asked = len(served) + len(refused)
    return [
        f"{utilisation(served, began, halved):.1%}",
        f"{len(refused)} of {asked} ({len(refused) / asked:.2%})",
    ]
