#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# sbatch examples/cluster/job.sh INPUT
# Runs a chain from job to job until it is done: each job stops before its time is up and submits the next one. Set nodes,
# tasks and cores for your machine; any numbers give the same bits.
#SBATCH --job-name=trellis
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=16
#SBATCH --time=12:00:00
#SBATCH --signal=TERM@600
#SBATCH --output=%x-%j.log
set -uo pipefail
input=${1:?usage: sbatch job.sh INPUT}

# Each rank and its threads stay on their processors.
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK OMP_PLACES=cores OMP_PROC_BIND=close

# SIGTERM, sent ten minutes before the end, saves the last finished state immediately and stops the run after the current
# trajectory; one that would take longer than --grace is abandoned. In a container, use
#   srun --mpi=pmix apptainer exec trellis.sif trellis run --grace 570 "$input"
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" --cpu-bind=cores --kill-on-bad-exit=1 trellis run --grace 570 "$input"
code=$?

# Slurm runs a copy of this script.
script=$(scontrol show job "$SLURM_JOB_ID" | sed -n 's/^ *Command=\([^ ]*\).*/\1/p')
case $code in
  0) echo "All trajectories are done." ;;
  3 | 143) sbatch "$script" "$input" ;;  # the time was up
  *) echo "trellis ended with exit code $code" >&2 ;;
esac
exit $code
