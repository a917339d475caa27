# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Chains give the results of the program, bit for bit."""

import math
import os
import signal
import threading
import time

import numpy as np
import pytest

import trellis
from conftest import QUARKS, QUENCHED


def same(a, b):
    return a == b or (a is None and math.isnan(b))


@pytest.mark.parametrize("text, name", [(QUENCHED, "quenched"), (QUARKS, "quarks")], ids=["quenched", "quarks"])
def test_a_chain_is_that_of_the_program(text, name, request, tmp_path):
    folder = request.getfixturevalue(name)
    table = trellis.read_table(folder / f"{name}.csv")
    chain = trellis.Chain(text, f"{name}.toml")
    for expected in table:
        row = chain.step()
        for column in row:
            if not column.startswith("seconds"):
                assert same(row[column], expected[column]), column
        chain.save(tmp_path / "links.ildg")
        file = folder / f"{name}.{chain.trajectory:06}.ildg"
        assert (tmp_path / "links.ildg").read_bytes() == file.read_bytes()
    assert chain.trajectory == len(table) == chain.trajectories


def test_a_chain_that_starts_from_a_file_continues(quenched):
    text = QUENCHED.replace('kind = "hot"', f'kind = "file"\nfile = "{quenched}/quenched.000002.ildg"\ntrajectory = 2')
    chain = trellis.Chain(text)
    rows = trellis.run(chain)
    expected = trellis.read_table(quenched / "quenched.csv")[2:]
    assert list(rows["trajectory"]) == [3, 4]
    assert np.array_equal(rows["plaquette"], expected["plaquette"])
    assert np.array_equal(rows["dH"], expected["dH"])


def test_heatbath_and_callbacks():
    chain = trellis.Chain("""
        [lattice]
        size = [4, 4, 4, 4]
        [action]
        beta = 6.0
        [algorithm]
        kind = "heatbath"
        [chain]
        trajectories = 50
    """)
    seen = []

    def callback(chain, row):
        seen.append((row["trajectory"], chain.links.plaquette()))
        return len(seen) == 3
    rows = trellis.run(chain, 20, callback)
    assert [number for number, _ in seen] == [1, 2, 3] == list(rows["trajectory"])
    assert [plaquette for _, plaquette in seen] == list(rows["plaquette"])
    assert rows["plaquette"].dtype == np.float64 and rows["trajectory"].dtype == np.int64


def test_links_are_those_of_the_chain():
    chain = trellis.Chain(QUARKS)
    links, before = chain.links, chain.links.copy()
    chain.step()
    assert links.plaquette() == chain.links.plaquette() != before.plaquette()


def test_errors_of_an_input_name_the_key():
    with pytest.raises(ValueError, match=r"mine:\d+:\d+: lattice.size: .*even"):
        trellis.Chain(QUENCHED.replace("[4, 4, 4, 4]", "[3, 4, 4, 4]"), "mine")
    with pytest.raises(trellis.InputError, match="did you mean 'beta'"):
        trellis.Chain(QUENCHED.replace("beta", "betta"))
    with pytest.raises(ValueError, match="/nowhere/input.toml: there is no such file"):
        trellis.Chain.from_file("/nowhere/input.toml")


def test_ctrl_c_leaves_the_chain_as_it_was():
    chain = trellis.Chain(QUENCHED.replace("[4, 4, 4, 4]", "[8, 8, 8, 8]").replace("steps = 6", "steps = 4000"))
    plaquette = chain.links.plaquette()
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as stopped:
        trellis.run(chain, 1)
    assert time.monotonic() - began < 20  # the trajectory would take a minute
    assert chain.trajectory == 0 and chain.links.plaquette() == plaquette
    assert len(stopped.value.rows) == 0


def test_an_exception_that_ends_a_run_has_its_rows():
    rows = trellis.run(trellis.Chain(QUENCHED), 2)

    def callback(chain, row):
        if row["trajectory"] == 2:
            raise KeyError("mine")
    with pytest.raises(KeyError, match="mine") as stopped:
        trellis.run(trellis.Chain(QUENCHED), 20, callback)
    for name in rows.dtype.names:
        if name != "seconds":
            assert np.array_equal(stopped.value.rows[name], rows[name], equal_nan=True), name


def test_other_threads_run_meanwhile():
    """The interpreter's lock is released during a trajectory."""
    chain = trellis.Chain(QUENCHED.replace("[4, 4, 4, 4]", "[8, 8, 8, 8]").replace("steps = 6", "steps = 60"))
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)
    thread = threading.Thread(target=tick)
    thread.start()
    began = time.monotonic()
    chain.step()
    ended = time.monotonic()
    done.set()
    thread.join()
    assert sum(began < t < ended for t in ticks) > 10


def test_save_writes_ildg_only(tmp_path):
    chain = trellis.Chain(QUENCHED)
    for name, title in (("s.nersc", "NERSC"), ("s.milc", "MILC"), ("s.openqcd", "openQCD")):
        with pytest.raises(ValueError, match=rf"{name}: save\(\) writes ILDG.*{title}"):
            chain.save(tmp_path / name)
        assert not (tmp_path / name).exists()
    for name in ("s.ildg", "s.lime", "s"):
        chain.save(tmp_path / name)
        assert (tmp_path / name).read_bytes()[:4] == b"\x45\x67\x89\xab"
    with pytest.raises(ValueError, match="there is no folder"):
        chain.save(tmp_path / "nowhere/s.ildg")
