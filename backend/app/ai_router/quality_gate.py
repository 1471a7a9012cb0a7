"""The quality gate under the path that its first users import; it lives in `app.judges`."""

from app.judges.checklists import CHECKLISTS, QualityChecklist
from app.judges.quality_gate import QualityGate, QualityItem, QualityResult

__all__ = ["CHECKLISTS", "QualityChecklist", "QualityGate", "QualityItem", "QualityResult"]
