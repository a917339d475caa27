#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# sbatch examples/cluster/slurm_gpu.sh INPUT
# Runs a chain on NVIDIA GPUs from job to job until it is done: each job stops before its time is up and submits the next
# one, unless it has not finished a single trajectory. One task for each GPU; set nodes, GPUs of a node and cores of a
# GPU for your machine. Any numbers give the same bits.
#SBATCH --job-name=trellis
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=16
#SBATCH --gpus-per-task=1
#SBATCH --time=12:00:00
#SBATCH --signal=TERM@600
#SBATCH --output=%x-%j.log
set -uo pipefail
input=${1:?usage: sbatch slurm_gpu.sh INPUT}

# The host's threads only feed the GPU.
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK OMP_PROC_BIND=close

# Between machines NCCL sends from GPU to GPU. NCCL_DEBUG=INFO shows whether it uses GPUDirect ("GDRDMA" in the lines of
# its channels); NCCL_IB_HCA and NCCL_SOCKET_IFNAME choose the cards where a machine has several. MPI carries only small
# messages from host memory, so UCX needs no CUDA; if it complains about CUDA, UCX_TLS=rc,sm,self leaves it out.
# `srun --gpu-bind=none trellis info` shows the GPU of each rank and the transport (TRELLIS_TRANSPORT sets it).

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
# trajectory; one that would take longer than --grace is abandoned. --gpu-bind=none: a rank that sees only its own GPU,
# as --gpus-per-task alone arranges it, cannot write into the memory of its neighbours on the same machine. Each rank
# takes one of the GPUs that it sees. In a container, use
#   srun --mpi=pmix --gpu-bind=none apptainer exec --nv trellis-cuda.sif trellis run --grace 570 "$input"
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" --cpu-bind=cores --gpu-bind=none \
  trellis run --grace 570 "$input"
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
