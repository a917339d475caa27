#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# cluster_test.sh TRELLIS: runs the batch scripts with stand-ins for sbatch, srun, scontrol, qsub and mpiexec, and the
# real program. A stand-in for a queue starts the next job at once.
set -euo pipefail
trellis=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
cd "$work"

stand_in() { # NAME, its lines on stdin
  { printf '#!/usr/bin/env bash\n' && cat; } > "$work/bin/$1"
  chmod +x "$work/bin/$1"
}
# Options, up to the program's name.
stand_in srun <<'EOF'
echo "srun $*" >> calls
while [[ $1 != trellis ]]; do shift; done
exec "$@"
EOF
stand_in mpiexec <<'EOF'
echo "mpiexec $*" >> calls
exec "$@"
EOF
stand_in trellis <<EOF
exec "$trellis" "\$@"
EOF
stand_in sbatch <<'EOF'
echo "sbatch $*" >> calls
EOF
stand_in qsub <<'EOF'
echo "qsub $*" >> calls
EOF
stand_in scontrol <<'EOF'
echo "   Command=$script input.toml"
EOF
export PATH="$work/bin:$PATH" SLURM_CPUS_PER_TASK=1 SLURM_JOB_ID=1 OMP_NUM_THREADS=1

fail() {
  echo "$script: $1" >&2
  cat calls output >&2
  exit 1
}

input() { # BUDGET in minutes
  cat > input.toml <<EOF
[lattice]
size = [4, 4, 4, 4]
[action]
beta = 5.7
[algorithm]
steps = 40
[chain]
trajectories = 12
time_budget_minutes = $1
[output]
directory = "results"
EOF
}

job() { # one job; its exit code
  : > calls
  if [[ $script == */slurm* ]]; then
    code=0; "$script" input.toml > output 2>&1 || code=$?
  else
    code=0; input=input.toml PBS_O_WORKDIR=$work "$script" > output 2>&1 || code=$?
  fi
}
submitted() { grep -q '^sbatch .*input.toml\|^qsub .*input=input.toml' calls; }

for script in "$here"/slurm_cpu.sh "$here"/slurm_gpu.sh "$here"/pbs_cpu.sh "$here"/pbs_gpu.sh; do
  export script
  rm -rf results
  # Without time for a trajectory no other job is submitted, neither at the start nor later.
  input 0.000001
  job
  [[ $code == 3 ]] || fail "exit code $code, expected 3: the time was up"
  submitted && fail "submitted another job, although no trajectory was finished"
  grep -q "No trajectory was finished in this job" output || fail "does not say why it stops"
  # With time, job follows job until the chain is done.
  input 0.008
  for ((jobs = 1; ; ++jobs)); do
    job
    [[ $code == 0 ]] && break
    [[ $code == 3 ]] || fail "exit code $code, expected 3"
    if ! submitted; then # a busy machine: nothing was finished in half a second
      grep -q "No trajectory was finished in this job" output || fail "submitted no other job"
    fi
    ((jobs < 200)) || fail "the chain does not end"
  done
  submitted && fail "submitted another job after the end"
  grep -q "All trajectories are done." output || fail "does not say that it is done"
  # A wrong input is not tried again.
  echo "[lattice]" > input.toml
  job
  [[ $code == 2 ]] || fail "exit code $code, expected 2: the input is wrong"
  submitted && fail "submitted another job for a wrong input"
  echo "$(basename "$script"): $jobs jobs"
done
# With GPUs, ranks see all of their machine's.
script=$here/slurm_gpu.sh
input 0
job
grep -q -- '--gpu-bind=none' calls || fail "hides the neighbours' GPUs"
# The stop file ends a PBS job in time.
script=$here/pbs_cpu.sh
rm -rf results
input 0
sed -i 's/trajectories = 12/trajectories = 1000000/' input.toml
export walltime=3 margin=1
job
[[ $code == 3 ]] || fail "exit code $code, expected 3: stopped by the stop file"
submitted || fail "submitted no other job"
[[ ! -e results/stop ]] || fail "leaves the stop file, so that the next job would not start"
