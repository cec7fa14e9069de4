#!/usr/bin/env bash
#SBATCH --job-name=caesar
#SBATCH --cpus-per-task=4
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --open-mode=append

# One part of a run as a task of a Slurm array, or the joining of all parts:
#
#   sbatch --array=1-N slurm.sh CAESAR ARGS OUT
#   sbatch --dependency=afterok:JOB slurm.sh CAESAR ARGS OUT merge
#
# CAESAR is the program, ARGS a file with the command, as tournament or tune, and its arguments, a word a line,
# and OUT a directory that all machines share. A part that was begun before goes on; one that is complete ends at once.

set -euo pipefail

if [[ $# -lt 3 ]]; then
    echo "usage: slurm.sh CAESAR ARGS OUT [merge]" >&2
    exit 2
fi
caesar=$1
args=$2
out=$3

if [[ ${4:-} == merge ]]; then
    exec "$caesar" merge "$out"/shards/* --out "$out/merged" --force
fi

if [[ ${SLURM_ARRAY_TASK_MIN:-1} != 1 || ${SLURM_ARRAY_TASK_STEP:-1} != 1 ]]; then
    echo "the array must be 1-N: the task's number is the number of the part" >&2
    exit 2
fi
mapfile -t words < "$args"
part=${SLURM_ARRAY_TASK_ID:?start me with sbatch --array=1-N}
parts=${SLURM_ARRAY_TASK_MAX:?start me with sbatch --array=1-N}
exec "$caesar" "${words[@]}" \
    --shard "$part/$parts" --out "$out/shards/$part" --resume \
    --threads "${SLURM_CPUS_PER_TASK:-1}"
