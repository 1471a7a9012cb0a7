"""The calibration plot of a bench."""

from io import BytesIO

import numpy as np

from app.experiments.benches.figures import BenchSummary

_INCHES = (6.4, 6.4)
_DPI = 120
_MAX_AREA = 260.0


def calibration_png(summary: BenchSummary) -> bytes:
    """What judges said against what people found, a line for each judge; the larger a dot, the
    more answers it stands for. Takes about a second the first time."""
    # Slow to import, and only who draws needs it. No pyplot: it is one state for all threads.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=_INCHES, dpi=_DPI, layout="constrained")
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], linestyle="--", color="0.6", label="perfectly calibrated")
    for judge in summary.judges:
        held = [one for one in judge.calibration if one.answers]
        said = np.array([one.mean_score for one in held], dtype=np.float64)
        found = np.array([one.grounded for one in held], dtype=np.float64)
        # The font of the plot has no Hangul, and a name may be anything.
        name = judge.judge.encode("ascii", "replace").decode().replace("$", r"\$")
        (line,) = axes.plot(said, found, label=f"{name} (n = {judge.answers:,})")
        most = max((one.answers for one in held), default=1)
        sizes = [20 + _MAX_AREA * one.answers / most for one in held]
        axes.scatter(said, found, s=sizes, color=line.get_color(), alpha=0.6)
    axes.set(
        xlim=(-0.02, 1.02),
        ylim=(-0.02, 1.02),
        xlabel="correctness according to the judge (mean of the bin)",
        ylabel="share that people found grounded",
        title="Calibration",
    )
    axes.grid(alpha=0.3)
    axes.legend(loc="upper left")
    written = BytesIO()
    FigureCanvasAgg(figure)
    figure.savefig(written, format="png")
    return written.getvalue()
