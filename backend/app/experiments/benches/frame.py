"""The answers that labels of a random draw stand for."""

from pydantic import BaseModel


class CellSize(BaseModel):
    """Stored answers with one chance of being drawn, and how many labels of theirs a bench has."""

    answers: int
    labels: int


class BenchFrame(BaseModel):
    """answers: stored ones that a draw could have picked. cells: those of them with labels in the
    bench; each label weighs the answers of its cell over the labels of its cell. strata: parts of
    draws without a label, which nothing here is said of."""

    answers: int
    cells: list[CellSize]
    strata: list[str]

    @property
    def covered(self) -> int:
        """Answers that the labels stand for."""
        return sum(cell.answers for cell in self.cells)

    @property
    def labels(self) -> int:
        return sum(cell.labels for cell in self.cells)

    @property
    def weighted(self) -> bool:
        """Whether some labels stand for more answers than others."""
        return len({round(cell.answers / cell.labels, 6) for cell in self.cells}) > 1
