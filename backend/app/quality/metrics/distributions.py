"""Student's t and the binomial distribution, by the regularised incomplete beta function.

NumPy has no quantiles, and SciPy would be a dependency for these few lines.
"""

from functools import lru_cache
from math import exp, lgamma, log, log1p, sqrt

_TINY = 1e-300
_PRECISION = 1e-15
_MAX_TERMS = 10_000
# Halvings of an interval until a double does not get more precise.
_HALVINGS = 60


def beta_cdf(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b), to about 13 digits.

    x: 0 to 1; a, b: above 0. By its continued fraction (NIST Digital Library of Mathematical
    Functions, 8.17.22) on the side where that converges quickly.
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    return front / _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """1 + d1/(1 + d2/(1 + …)), evaluated from the front by Lentz's method."""
    value = upper = 1.0
    lower = 0.0
    for term in range(1, _MAX_TERMS):
        half = term // 2
        if term % 2:
            numerator = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            numerator = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        lower = 1 / (1 + numerator * lower or _TINY)
        upper = 1 + numerator / upper or _TINY
        value *= upper * lower
        if abs(upper * lower - 1) < _PRECISION:
            break
    return value


def t_two_sided(t: float, degrees: float) -> float:
    """Chance of a value as far from 0 as `t` under Student's t distribution."""
    return beta_cdf(degrees / (degrees + t * t), degrees / 2, 0.5)


@lru_cache(maxsize=1_024)
def t_quantile(confidence: float, degrees: float) -> float:
    """The t that a share `confidence` of values does not exceed in size; 1.96 for 0.95 and many
    degrees of freedom. Raises ValueError unless 0 < confidence < 1 and degrees > 0."""
    if not 0 < confidence < 1 or degrees <= 0:
        raise ValueError("a quantile needs a confidence between 0 and 1 and degrees above 0")
    # x = degrees / (degrees + t²) falls from 1 to 0 as t grows.
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if beta_cdf(middle, degrees / 2, 0.5) < 1 - confidence:
            low = middle
        else:
            high = middle
    return sqrt(degrees * (1 - high) / high)


def binomial_tail(successes: int, trials: int, share: float) -> float:
    """Chance of at least `successes` of `trials` where each succeeds with chance `share`."""
    if successes <= 0:
        return 1.0
    if successes > trials:
        return 0.0
    return beta_cdf(share, successes, trials - successes + 1)


def lower_bound(successes: int, trials: int, confidence: float) -> float:
    """The share that is exceeded with this confidence, one-sided and exact (Clopper and Pearson
    1934): the largest that binomial_tail finds less likely than 1 - confidence. 0 without
    successes."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if binomial_tail(successes, trials, middle) <= 1 - confidence:
            low = middle
        else:
            high = middle
    return low
