"""Evaluators behind published names: verdict, scores of runs, refinement."""
