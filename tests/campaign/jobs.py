# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""The small jobs that the campaign attacks, what they write, and whether two folders hold the same results."""
import csv
import io
import os
import re
from dataclasses import dataclass

_MACHINE = '[machine]\nthreads = 1\nlanes = 1\n'

_GAUGE = """[lattice]
size = [4, 4, 4, 4]
[action]
name = "symanzik"
beta = 4.0
[start]
kind = "hot"
[algorithm]
steps = 4
reversibility_every = 4
[chain]
trajectories = 12
thermalisation = 3
seed = 7
checkpoint_every = 2
save_every = 4
[measure]
every = 2
observables = ["topological_charge", "energy"]
[measure.flow]
time_max = 0.1
step = 0.05
[measure.cooling]
every = 4
steps = 10
[measure.stout]
every = 4
steps = 10
[output]
directory = "g"
name = "c"
""" + _MACHINE

_QUARKS = """[lattice]
size = [4, 4, 4, 4]
[action]
name = "symanzik"
beta = 4.0
[[flavours]]
name = "l"
mass = 0.5
[start]
kind = "hot"
[algorithm]
steps = 2
[chain]
trajectories = 6
thermalisation = 2
seed = 7
checkpoint_every = 2
save_every = 2
[measure.quarks]
noise_vectors = 2
[measure.hadrons]
every = 2
kappas = [0.1]
channels = ["pion"]
residual = 1e-6
[output]
directory = "q"
name = "c"
""" + _MACHINE

_MEASURE = """[configurations]
files = ["g/c.000004.ildg", "g/c.000008.ildg", "g/c.000012.ildg"]
[measure]
observables = ["polyakov", "topological_charge", "energy"]
[measure.flow]
time_max = 0.1
step = 0.05
[measure.cooling]
steps = 10
[measure.hadrons]
kappas = [0.1]
channels = ["pion", "proton"]
residual = 1e-6
[output]
directory = "m"
name = "c"
""" + _MACHINE


@dataclass(frozen=True)
class Job:
    name: str  # also of its results folder and input
    command: str
    text: str
    whole: str   # the part of the input that requests all of the work,
    parts: tuple  # and its replacements for the first parts of the work, the smaller first
    needs: tuple = ()  # folders of other jobs that it reads

    def input(self, part=None):
        """The input for all of the work, or for its first parts."""
        assert self.whole in self.text
        return self.text if part is None else self.text.replace(self.whole, self.parts[part])


JOBS = (
    Job("g", "run", _GAUGE, "trajectories = 12", ("trajectories = 4", "trajectories = 6")),
    Job("q", "run", _QUARKS, "trajectories = 6", ("trajectories = 2", "trajectories = 4")),
    Job("m", "measure", _MEASURE, '"g/c.000004.ildg", "g/c.000008.ildg", "g/c.000012.ildg"',
        ('"g/c.000004.ildg"', '"g/c.000004.ildg", "g/c.000008.ildg"'), needs=("g",)),
)

# Files that may differ between two runs of the same job, or be missing: they record how and when, not what.
_NO_RESULTS = re.compile(r"(\.log|\.svg|\.lock|\.resolved\.toml|-kernels\.csv)$|^stop$")
# May belong to another trajectory if a run was stopped elsewhere; a result only while the run is unfinished.
_EARLIER_CHECKPOINT = re.compile(r"\.previous\.checkpoint$")


def has_results(name):
    return _NO_RESULTS.search(name) is None


def is_earlier(name):
    return _EARLIER_CHECKPOINT.search(name) is not None


def is_table(name):
    return name.endswith(".csv")


def _bytes(path):
    with open(path, "rb") as file:
        return file.read()


def comparable(path):
    """A file's bytes; for a table, without times and check."""
    data = _bytes(path)
    if not is_table(path):
        return data
    rows = list(csv.reader(io.StringIO(data.decode("utf-8", "replace"))))
    if not rows or not data.endswith(b"\n"):
        return b"not a whole table: " + data
    kept = [i for i, name in enumerate(rows[0]) if name != "check" and not name.startswith("seconds")]
    if any(len(row) != len(rows[0]) for row in rows):
        return b"not a table: " + data
    return "\n".join(",".join(row[i] for i in kept) for row in rows).encode()


def differences(reference, folder):
    """What is wrong with the results in a folder: a text for each file, by its name."""
    found = {}
    names = set(os.listdir(folder)) if os.path.isdir(folder) else set()
    for name in sorted(os.listdir(reference)):
        if not has_results(name) or _EARLIER_CHECKPOINT.search(name):
            continue
        if name not in names:
            found[name] = "is missing"
            continue
        right, here = comparable(os.path.join(reference, name)), comparable(os.path.join(folder, name))
        if right != here:
            at = next((i for i, (a, b) in enumerate(zip(right, here)) if a != b), min(len(right), len(here)))
            found[name] = f"differs from byte {at} on" + (f", line {right[:at].count(10) + 1}" if is_table(name) else "")
    return found


def left_over(folder):
    """Files that a finished job must not leave behind."""
    return sorted(name for name in os.listdir(folder) if name.endswith((".part", ".lock")))


def described(found):
    return ", ".join(f"{name} {what}" for name, what in found.items())
