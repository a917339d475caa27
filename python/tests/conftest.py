# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""TRELLIS_PROGRAM is the program `trellis` of the same build, TRELLIS_SOURCE the root of the tree (python/CMakeLists.txt)."""

import os
import pathlib
import subprocess

import pytest

QUENCHED = """
[lattice]
size = [4, 4, 4, 4]
[action]
name = "wilson"
beta = 5.7
[start]
kind = "hot"
[algorithm]
steps = 6
reversibility_every = 3
[chain]
trajectories = 4
thermalisation = 2
seed = 11
checkpoint_every = 1
save_every = 1
[measure]
every = 2
observables = ["topological_charge"]
[measure.flow]
time_max = 0.4
time_interval = 0.1
step = 0.05
[measure.cooling]
steps = 4
interval = 2
[measure.hadrons]
every = 4
kappas = [0.12]
channels = ["pion", "proton"]
"""

QUARKS = """
[lattice]
size = [4, 4, 4, 4]
[action]
name = "symanzik"
beta = 5.0
[smearing]
rho = 0.1
levels = 1
[[flavours]]
name = "l"
mass = 0.3
tastes = 2
[algorithm]
steps = 2
[chain]
trajectories = 2
seed = 5
save_every = 1
[measure.quarks]
observables = ["condensate"]
noise_vectors = 2
"""


@pytest.fixture(scope="session")
def program():
    return os.environ["TRELLIS_PROGRAM"]


@pytest.fixture(scope="session")
def source():
    return pathlib.Path(os.environ["TRELLIS_SOURCE"])


def _run(program, text, folder, name):
    file = folder / f"{name}.toml"
    file.write_text(text)
    subprocess.run([program, "run", file.name], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder / f"{name}-results"


@pytest.fixture(scope="session")
def quenched(program, tmp_path_factory):
    """The results of `trellis run` on QUENCHED."""
    return _run(program, QUENCHED, tmp_path_factory.mktemp("quenched"), "quenched")


@pytest.fixture(scope="session")
def quarks(program, tmp_path_factory):
    return _run(program, QUARKS, tmp_path_factory.mktemp("quarks"), "quarks")
