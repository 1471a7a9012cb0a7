"""`searchqa restore`, killed while it loads."""

import os
import subprocess
import sys
from pathlib import Path

import psycopg

from app.operations.embedded.postgres_upgrade import database_alone
from app.platform.db.address import newest
from app.platform.db.backup import back_up


def start(file: Path, data_dir: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [Path(sys.executable).with_name("searchqa"), "restore", file, "--data-dir", data_dir],
        env={**os.environ, "SEARCHQA_LANG": "en"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_it_is_simply_begun_again(clean_database_url, tmp_path):
    """What was loaded until then is gone with its transaction."""
    found = back_up(clean_database_url, tmp_path / "a.dump")
    folder = tmp_path / "restored"
    with start(found.path, folder) as killed:
        assert killed.stdout
        for line in killed.stdout:
            if line.startswith("restoring"):
                killed.kill()
    assert killed.returncode < 0
    with database_alone(folder) as address, psycopg.connect(address) as opened:
        assert opened.execute("SELECT FROM pg_tables WHERE schemaname = 'public'").rowcount == 0

    with start(found.path, folder) as again:
        said, _ = again.communicate(timeout=120)

    assert again.returncode == 0, said
    assert said.endswith(f"Restored into {folder}, schema {newest()}.\n")
