"""Plays a run in parts on a Ray cluster and joins them.

The driver only calls `caesar COMMAND --shard I/N --resume` and `caesar merge`: what is played does not depend on Ray,
on the number of workers, or on which of them dies when. COMMAND is any that has shards. The directory of the results
must be one that all machines share.
"""

import argparse
import ctypes
import os
import pathlib
import signal
import subprocess
import sys
import time

import ray


# How long a part waits for a run of it that is still being given up elsewhere, in seconds.
PATIENCE = 60
PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Lets the program die when the worker that started it does (on Linux): nobody would wait for it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def play(caesar: str, words: list[str], part: int, parts: int, out: str, threads: int) -> str:
    """Plays one part to its end; a part that was begun before goes on."""
    command = [caesar, *words, "--shard", f"{part}/{parts}", "--resume", "--quiet"]
    command += ["--out", os.path.join(out, "shards", str(part)), "--threads", str(threads)]
    until = time.monotonic() + PATIENCE
    while True:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, preexec_fn=die_with_parent
        )
        if "another run is writing" not in done.stderr or time.monotonic() > until:
            break
        time.sleep(1)
    if done.returncode != 0:
        # Another try would end in the same way: the caller hears of it and stops.
        raise RuntimeError(f"part {part}/{parts} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def play_all(options: argparse.Namespace, words: list[str], on_part=lambda part: None) -> None:
    """Plays all parts on the cluster to which this process is connected; says when one is done."""
    # Death of a worker or node starts the task again elsewhere; an error of the program does not.
    task = ray.remote(num_cpus=options.threads, max_retries=10, retry_exceptions=False)(play)
    waiting = {
        task.remote(options.caesar, words, part, options.shards, options.out, options.threads): part
        for part in range(1, options.shards + 1)
    }
    while waiting:
        done, _ = ray.wait(list(waiting))
        for result in done:
            ray.get(result)
            on_part(waiting.pop(result))


def join(options: argparse.Namespace) -> int:
    """Joins the parts; the exit code of `caesar merge`."""
    shards = [os.path.join(options.out, "shards", str(part)) for part in range(1, options.shards + 1)]
    command = [options.caesar, "merge", *shards, "--out", os.path.join(options.out, "merged"), "--force"]
    return subprocess.run(command, check=False).returncode


def parser() -> argparse.ArgumentParser:
    """The command line."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--caesar", required=True, help="the program, at the same place on all machines")
    asked.add_argument("--args", required=True, help="a file with the command, as tournament or tune, and its arguments, a word a line")
    asked.add_argument("--shards", required=True, type=int, help="number of parts")
    asked.add_argument("--out", required=True, help="a directory that all machines share")
    asked.add_argument("--threads", type=int, default=1, help="threads of a part, and processors of its task [1]")
    asked.add_argument("--address", help="of a running cluster, or auto [workers on this machine]")
    asked.add_argument("--workers", type=int, default=os.cpu_count(), help="processors to use without --address")
    return asked


def main() -> int:
    """Plays and joins."""
    options = parser().parse_args()
    options.caesar = os.path.abspath(options.caesar)
    options.out = os.path.abspath(options.out)
    words = pathlib.Path(options.args).read_text(encoding="utf-8").splitlines()
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if options.address:
        ray.init(address=options.address, log_to_driver=False)
    else:
        ray.init(num_cpus=options.workers, include_dashboard=False, log_to_driver=False)
    done = 0

    def count(part: int) -> None:
        nonlocal done
        done += 1
        print(f"part {part} is done ({done} of {options.shards})", file=sys.stderr)

    try:
        play_all(options, words, count)
    except (RuntimeError, ray.exceptions.RayError) as error:
        print(f"error: {error}", file=sys.stderr)
        print("parts that are complete stay: the same command goes on", file=sys.stderr)
        return 1
    finally:
        ray.shutdown()
    return join(options)


if __name__ == "__main__":
    sys.exit(main())
