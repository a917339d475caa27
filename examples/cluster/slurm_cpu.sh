#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# sbatch examples/cluster/slurm_cpu.sh INPUT
# Runs a chain on CPUs from job to job until it is done: each job stops before its time is up and submits the next one,
# unless it has not finished a single trajectory. Set nodes, tasks and cores for your machine; any numbers give the same
# bits. A good start is one task for each NUMA domain.
#SBATCH --job-name=trellis
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=16
#SBATCH --time=12:00:00
#SBATCH --signal=TERM@600
#SBATCH --output=%x-%j.log
set -uo pipefail
input=${1:?usage: sbatch slurm_cpu.sh INPUT}

# Each rank and its threads stay on their processors.
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK OMP_PLACES=cores OMP_PROC_BIND=close

# The folder of the results, where the input says so or by default.
results=$(sed -n 's/^ *directory *= *"\([^"]*\)".*/\1/p' "$input" | tail -n 1)
results=${results:-$(basename "$input" .toml)-results}

# The last trajectory in the checkpoints there; its number is near the end of each file.
completed() {
  local file most=0 number
  for file in "$results"/*.checkpoint; do
    [[ -f $file ]] || continue
    number=$(tail -c 65536 "$file" | grep -a '^completed = ' | tail -n 1 | tr -dc 0-9)
    ((${number:-0} > most)) && most=$number
  done
  echo "$most"
}
before=$(completed)

# SIGTERM, sent ten minutes before the end, saves the last finished state immediately and stops the run after the current
# trajectory; one that would take longer than --grace is abandoned. In a container, use
#   srun --mpi=pmix apptainer exec trellis.sif trellis run --grace 570 "$input"
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" --cpu-bind=cores trellis run --grace 570 "$input"
code=$?

# Slurm runs a copy of this script; the original, whose path may have spaces, is named before its argument.
script=$(scontrol show job "$SLURM_JOB_ID" | sed -n 's/^ *Command=//p')
script=${script%" $input"}
after=$(completed)
case $code in
  0) echo "All trajectories are done." ;;
  3 | 143) # the time was up
    if ((after > before)); then
      sbatch "$script" "$input"
    else
      echo "No trajectory was finished in this job, so no other one is submitted. Allow more time (--time), or take" >&2
      echo "more nodes: trellis plan says how long a trajectory takes." >&2
    fi
    ;;
  *) echo "trellis ended with exit code $code; no other job is submitted" >&2 ;;
esac
exit $code
