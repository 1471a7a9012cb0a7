"""How good retrieval, answers and judges are: figures and how sure they are. No I/O."""
