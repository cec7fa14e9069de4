"""Two Ray workers on this machine, one of them killed in the middle: the bytes are those of one run.

    python test_ray.py CAESAR

Ray must be installed (requirements.txt). Ray listens on all addresses of the machine, so the test moves itself into
a network of its own with nothing but loopback; that needs `unshare` from util-linux and the right to use it.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from runs import Run, different, play_whole, runs

PARTS = 8
# Bytes of the object store of a node.
MEMORY = 80_000_000


def alone() -> None:
    """Starts this program again in a network and a process space of its own."""
    inside = 'ip link set lo up 2>/dev/null || python3 -c "import test_ray; test_ray.loopback_up()"; exec "$@"'
    command = ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "-c", inside, "bash"]
    os.environ["CAESAR_ALONE"] = "1"
    os.chdir(pathlib.Path(__file__).parent)
    os.execvp(command[0], command + [sys.executable, __file__, *sys.argv[1:]])


def loopback_up() -> None:
    """Switches loopback on where there is no `ip` command."""
    import fcntl
    import socket
    import struct

    up, get, put = 0x1, 0x8913, 0x8914
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        asked = struct.pack("16sh14s", b"lo", 0, b"")
        flags = struct.unpack("16sh14s", fcntl.ioctl(any_socket, get, asked))[1]
        fcntl.ioctl(any_socket, put, struct.pack("16sh14s", b"lo", flags | up, b""))


def main() -> int:
    """The test; 0 if the bytes are the same."""
    caesar = os.path.abspath(sys.argv[1])
    if not os.environ.get("CAESAR_ALONE"):
        sys.argv[1] = caesar
        alone()
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as short:
        os.environ["RAY_TMPDIR"] = short
        return compare(caesar, pathlib.Path(short))


def compare(caesar: str, place: pathlib.Path) -> int:
    """Plays with and without a cluster."""
    import ray_driver

    cluster, workers = started()
    worst = 0
    for number, run in enumerate(runs(PARTS)):
        whole, out = place / f"whole{number}", place / f"ray{number}"
        play_whole(caesar, run, whole)
        options = argparse.Namespace(caesar=caesar, shards=PARTS, out=str(out), threads=1)
        killed_at = play(cluster, workers, options, run)
        if ray_driver.join(options) != 0:
            raise SystemExit("the parts do not merge")
        names = different(whole, out / "merged")
        print(f"{run.words[0]}: one of two workers killed after {killed_at} of {PARTS} parts; different files:", names or "none")
        worst = max(worst, len(names))
    ended(cluster)
    return 1 if worst else 0


def started():
    """A cluster of two workers on this machine, to which this process is connected."""
    import ray
    from ray.cluster_utils import Cluster

    head = dict(num_cpus=0, object_store_memory=MEMORY, include_dashboard=False)
    cluster = Cluster(initialize_head=True, head_node_args=head)
    workers = [cluster.add_node(num_cpus=1, object_store_memory=MEMORY) for _ in range(2)]
    cluster.wait_for_nodes()
    ray.init(address=cluster.address, log_to_driver=False)
    return cluster, workers


def ended(cluster) -> None:
    """Ends the cluster."""
    import ray

    ray.shutdown()
    cluster.shutdown()


def play(cluster, workers: list, options: argparse.Namespace, run: Run) -> int:
    """Plays on two workers and kills one when a part is done and others are being played."""
    import ray_driver

    done = []
    killed = []

    def note(part: int) -> None:
        done.append(part)
        if len(done) == 2:
            # A moment later, so that both workers are in the middle of a part.
            time.sleep(0.3)
            killed.append(len(done))
            cluster.remove_node(workers.pop(0), allow_graceful=False)
            workers.append(cluster.add_node(num_cpus=1, object_store_memory=MEMORY))

    ray_driver.play_all(options, run.words, note)
    if not killed:
        raise SystemExit("no worker was killed")
    return killed[0]


if __name__ == "__main__":
    sys.exit(main())
