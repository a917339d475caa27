# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Shared by all events: the program, how to start ranks, reference results, and the calls that jobs make."""
import os
import shutil
import subprocess
import threading

from jobs import JOBS, described, differences
from processes import Running


class Kit:
    """limit: seconds that a command may take; TRELLIS_WATCHDOG ends a job with waiting ranks long before."""

    def __init__(self, program, ranks, source, folder, limit):
        self.program = self.sound = program  # the self-test replaces the former
        self.ranks, self.folder = ranks, folder
        self.references, self.states, self.calls = {}, {}, {}
        self.seconds = {}  # duration of each job
        self.limit, self.watchdog = limit, limit // 6
        self._lock = threading.Lock()
        self.fault_injection = os.path.join(folder, "fault_injection.so")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", self.fault_injection, source, "-ldl"], check=True)
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith("TRELLIS_")}
        self.environment.update(
            OMP_WAIT_POLICY="passive", TRELLIS_WATCHDOG=str(self.watchdog), OMPI_MCA_rmaps_base_oversubscribe="1",
            OMPI_MCA_mpi_yield_when_idle="1", LC_ALL="C.UTF-8")

    def words(self, job, ranks, faults=None, program=None):
        """The command of a job. Faults apply only to the program, not to its launcher."""
        words = [program or self.program, job.command, job.name + ".toml"]
        if faults:
            settings = dict(faults, LD_PRELOAD=self.fault_injection)
            words = ["env"] + [f"{key}={value}" for key, value in settings.items()] + words
        if ranks > 1:
            words = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] + words
        return words

    def prepare(self, job, folder, part=None, state=None):
        """A folder with a job's input, what it reads, and its results so far."""
        os.makedirs(folder)
        self.write_input(job, folder, part)
        for name in job.needs:
            shutil.copytree(self.references[name], os.path.join(folder, name))
        if state is not None:
            shutil.copytree(self.states[job.name, state], os.path.join(folder, job.name))

    @staticmethod
    def write_input(job, folder, part=None):
        with open(os.path.join(folder, job.name + ".toml"), "w", encoding="ascii") as file:
            file.write(job.input(part))

    def _run(self, job, folder, ranks=1, faults=None):
        ended = Running(self.words(job, ranks, faults, self.sound), folder, self.environment, folder + ".out",
                        folder + ".err").wait(self.limit)
        if ended.hung or ended.code != 0:
            raise SystemExit(f"campaign: without any fault {' '.join(ended.words)} ends with {ended}")
        return ended

    def make_references(self):
        """All fault-free results, and those of the first parts of each job."""
        for job in JOBS:
            folder = os.path.join(self.folder, "reference-" + job.name)
            self.prepare(job, folder)
            self.seconds[job.name, 1] = self._run(job, folder).seconds
            self.references[job.name] = os.path.join(folder, job.name)
            for part in (0, 1):
                folder = os.path.join(self.folder, f"part{part}-{job.name}")
                self.prepare(job, folder, part)
                self._run(job, folder)
                self.states[job.name, part] = os.path.join(folder, job.name)

    def calls_of(self, job, ranks):
        """A job's file operations: for each rank a list of (number, call, path). Determined once."""
        with self._lock:
            if (job.name, ranks) not in self.calls:
                folder = os.path.join(self.folder, f"calls{ranks}-{job.name}")
                self.prepare(job, folder)
                log = folder + ".calls"
                ended = self._run(job, folder, ranks, {"FAULT_FOLDER": os.path.realpath(folder), "FAULT_LOG": log})
                wrong = differences(self.references[job.name], os.path.join(folder, job.name))
                if wrong:
                    raise SystemExit(f"campaign: without any fault, {ranks} ranks: {described(wrong)}")
                self.seconds[job.name, ranks] = ended.seconds
                calls = {}
                with open(log, encoding="utf-8") as file:
                    for line in file:
                        rank, number, name, path = line.rstrip("\n").split(" ", 3)
                        calls.setdefault(int(rank), []).append((int(number), name, path))
                shutil.rmtree(folder)
                self.calls[job.name, ranks] = calls
            return self.calls[job.name, ranks]
