"""`python -m dying MODULE …`: the program of a module, which kills itself when a batch comes to the
step BATCH_STEP."""

import os
import runpy
import sys

from batch_deaths import die_at

if __name__ == "__main__":
    die_at(os.environ["BATCH_STEP"])
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
