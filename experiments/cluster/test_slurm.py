"""The Slurm script, task by task, with the variables that Slurm sets: the bytes are those of one run.

    python3 test_slurm.py CAESAR

One task of each run is killed in the middle and started again, as Slurm does with --requeue. No Slurm is needed.
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from runs import Run, different, play_whole, runs

PARTS = 3
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


def kill_in_the_middle(part: int, caesar: str, run: Run, args: pathlib.Path, out: pathlib.Path) -> None:
    """Starts a task and kills it as soon as it has written some rows."""
    rows = out / "shards" / str(part) / run.rows
    begun = task(part, caesar, args, out)
    while begun.poll() is None and not (rows.exists() and rows.stat().st_size > 300):
        time.sleep(0.005)
    begun.send_signal(signal.SIGKILL)
    if begun.wait() != -signal.SIGKILL:
        raise SystemExit("the task was over before it could be killed")
    print(f"{run.words[0]}: part {part} killed with {rows.stat().st_size} bytes of rows")


def differences(caesar: str, run: Run, place: pathlib.Path) -> list[str]:
    """Plays the run with and without the script; the names of the files that differ."""
    args, out, whole = place / "words.args", place / "run", place / "whole"
    args.write_text("\n".join(run.words) + "\n", encoding="utf-8")
    play_whole(caesar, run, whole)
    kill_in_the_middle(2, caesar, run, args, out)
    for part in range(1, PARTS + 1):
        if task(part, caesar, args, out).wait() != 0:
            raise SystemExit(f"part {part} failed")
    subprocess.run([SCRIPT, caesar, args, out, "merge"], stdout=subprocess.DEVNULL, check=True)
    return different(whole, out / "merged")


def main() -> int:
    """The test; 0 if the bytes are the same."""
    caesar = os.path.abspath(sys.argv[1])
    worst = 0
    for run in runs(PARTS):
        with tempfile.TemporaryDirectory() as folder:
            names = differences(caesar, run, pathlib.Path(folder))
        print(f"{run.words[0]}: different files:", names or "none")
        worst = max(worst, len(names))
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main())
