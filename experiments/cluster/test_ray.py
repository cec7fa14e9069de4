"""Two Ray workers on this machine, one of them killed in the middle: the bytes are those of one run.

    python test_ray.py CAESAR

Ray must be installed (requirements.txt). Ray listens on all addresses of the machine, so the test moves itself into
a network of its own with nothing but loopback; that needs `unshare` from util-linux and the right to use it.
"""

import argparse
import filecmp
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PARTS = 8
# About ten seconds of playing, so that there is a middle.
WORDS = ["--game", "conquest2", "--players", "4", "--blocks", "8000", "--seed", "7"]


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
    whole = place / "whole"
    began = time.time()
    quiet = dict(stdout=subprocess.DEVNULL, check=True)
    subprocess.run([caesar, "tournament", *WORDS, "--quiet", "--out", whole], **quiet)
    print(f"one process: {time.time() - began:.1f} s")
    began = time.time()
    killed_at = play(caesar, place / "ray")
    print(f"two workers, one killed after {killed_at} of {PARTS} parts: {time.time() - began:.1f} s with start-up")
    names = ["games.csv", "summary.json", "manifest.json"]
    _, different, missing = filecmp.cmpfiles(whole, place / "ray" / "merged", names, shallow=False)
    print("different files:", different + missing or "none")
    return 1 if different or missing else 0


def play(caesar: str, out: pathlib.Path) -> int:
    """Plays on two workers and kills one when a part is done and others are being played."""
    import ray
    import ray_driver
    from ray.cluster_utils import Cluster

    memory = 80_000_000
    head = dict(num_cpus=0, object_store_memory=memory, include_dashboard=False)
    cluster = Cluster(initialize_head=True, head_node_args=head)
    workers = [cluster.add_node(num_cpus=1, object_store_memory=memory) for _ in range(2)]
    cluster.wait_for_nodes()
    ray.init(address=cluster.address, log_to_driver=False)
    options = argparse.Namespace(caesar=caesar, shards=PARTS, out=str(out), threads=1)
    done = []
    killed = []

    def note(part: int) -> None:
        done.append(part)
        if len(done) == 2:
            # A moment later, so that both workers are in the middle of a part.
            time.sleep(0.3)
            killed.append(len(done))
            cluster.remove_node(workers[0], allow_graceful=False)
            cluster.add_node(num_cpus=1, object_store_memory=memory)

    ray_driver.play_all(options, WORDS, note)
    ray.shutdown()
    cluster.shutdown()
    if not killed:
        raise SystemExit("no worker was killed")
    if ray_driver.join(options) != 0:
        raise SystemExit("the parts do not merge")
    return killed[0]


if __name__ == "__main__":
    sys.exit(main())
