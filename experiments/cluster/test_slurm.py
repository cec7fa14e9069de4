"""The Slurm script, task by task, with the variables that Slurm sets: the bytes are those of one run.

    python3 test_slurm.py CAESAR

One task is killed in the middle and started again, as Slurm does with --requeue. No Slurm is needed.
"""

import filecmp
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

PARTS = 3
WORDS = ["--game", "conquest2", "--players", "4", "--blocks", "3000", "--seed", "7"]
SCRIPT = pathlib.Path(__file__).with_name("slurm.sh")


def task(part: int, caesar: str, args: pathlib.Path, out: pathlib.Path) -> subprocess.Popen:
    """A task of the array, started."""
    slurm = {
        "SLURM_ARRAY_TASK_ID": str(part),
        "SLURM_ARRAY_TASK_MIN": "1",
        "SLURM_ARRAY_TASK_MAX": str(PARTS),
        "SLURM_ARRAY_TASK_STEP": "1",
        "SLURM_CPUS_PER_TASK": "1",
    }
    quiet = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return subprocess.Popen([SCRIPT, caesar, args, out], env=os.environ | slurm, **quiet)


def kill_in_the_middle(part: int, caesar: str, args: pathlib.Path, out: pathlib.Path) -> None:
    """Starts a task and kills it as soon as it has written some rows."""
    rows = out / "shards" / str(part) / "games.csv"
    begun = task(part, caesar, args, out)
    while begun.poll() is None and not (rows.exists() and rows.stat().st_size > 20_000):
        time.sleep(0.005)
    begun.send_signal(signal.SIGKILL)
    if begun.wait() != -signal.SIGKILL:
        raise SystemExit("the task was over before it could be killed")
    print(f"part {part} killed with {rows.stat().st_size} bytes of rows")


def main() -> int:
    """The test; 0 if the bytes are the same."""
    caesar = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        args, out, whole = place / "words.args", place / "run", place / "whole"
        args.write_text("\n".join(WORDS) + "\n", encoding="utf-8")
        subprocess.run([caesar, "tournament", *WORDS, "--quiet", "--out", whole], stdout=subprocess.DEVNULL, check=True)
        kill_in_the_middle(2, caesar, args, out)
        for part in range(1, PARTS + 1):
            if task(part, caesar, args, out).wait() != 0:
                raise SystemExit(f"part {part} failed")
        subprocess.run([SCRIPT, caesar, args, out, "merge"], stdout=subprocess.DEVNULL, check=True)
        names = ["games.csv", "summary.json", "manifest.json"]
        _, different, missing = filecmp.cmpfiles(whole, out / "merged", names, shallow=False)
        print("different files:", different + missing or "none")
        return 1 if different or missing else 0


if __name__ == "__main__":
    sys.exit(main())
