#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# qsub -v input=INPUT examples/cluster/pbs_gpu.sh
# Runs a chain on NVIDIA GPUs from job to job until it is done: each job stops before its time is up and submits the next
# one, unless it has not finished a single trajectory. Set nodes (select), GPUs (ngpus) and as many ranks (mpiprocs), cores
# (ncpus) and threads (ompthreads) of a node for your machine; any numbers give the same bits.
#PBS -N trellis
#PBS -l select=2:ncpus=64:ngpus=4:mpiprocs=4:ompthreads=16
#PBS -l place=scatter:excl
#PBS -l walltime=12:00:00
#PBS -j oe
set -uo pipefail
walltime=${walltime:-43200} # seconds, as above
margin=${margin:-1800}      # the run is asked to stop this long before the end: longer than a trajectory takes
: "${input:?usage: qsub -v input=INPUT pbs_gpu.sh}"
cd "${PBS_O_WORKDIR:-.}" || exit 1

# Between machines NCCL sends from GPU to GPU. NCCL_DEBUG=INFO shows whether it uses GPUDirect ("GDRDMA" in the lines of
# its channels); NCCL_IB_HCA and NCCL_SOCKET_IFNAME choose the cards where a machine has several. MPI carries only small
# messages from host memory, so UCX needs no CUDA; if it complains about CUDA, UCX_TLS=rc,sm,self leaves it out.
# `mpiexec trellis info` shows the GPU of each rank and the transport. Ranks should see all GPUs of their machine: each
# takes its own, and a rank that sees no other cannot write into its neighbours' memory.

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

# The end of the time is announced by the stop file: what mpiexec does with signals depends on the launcher. An earlier
# job's file would keep the run from starting.
stop=$results/stop
rm -f "$stop"
(sleep $((walltime - margin)) && mkdir -p "$results" && : > "$stop") > /dev/null 2>&1 &
watch=$!

# How ranks are bound depends on the launcher. Open MPI: --map-by numa:PE=16 --bind-to core; Intel MPI:
# I_MPI_PIN_DOMAIN=omp in the environment; Cray: --cpu-bind depth --depth 16.
mpiexec trellis run "$input"
code=$?
kill "$watch" 2> /dev/null
rm -f "$stop"

after=$(completed)
case $code in
  0) echo "All trajectories are done." ;;
  3) # the time was up
    if ((after > before)); then
      qsub -l "walltime=$walltime" -v "input=$input,walltime=$walltime,margin=$margin" "$0"
    else
      echo "No trajectory was finished in this job, so no other one is submitted. Allow more time (walltime), or take" >&2
      echo "more nodes: trellis plan says how long a trajectory takes." >&2
    fi
    ;;
  *) echo "trellis ended with exit code $code; no other job is submitted" >&2 ;;
esac
exit $code
