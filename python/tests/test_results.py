# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Readers of the files of a run, and what other packages are given."""

import csv
import json
import shutil
import sys
import types

import numpy as np
import pytest

import trellis


def test_every_file_of_a_run(quenched):
    results = trellis.read_results(quenched)
    assert list(results.table["trajectory"]) == [1, 2, 3, 4]
    assert set(results.tables) >= {"cooling", "hadrons", "kernels"}
    assert results.input["action"]["beta"] == 5.7
    with open(quenched / "quenched.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for name in results.table.dtype.names:
        for value, row in zip(results.table[name], rows):
            assert (np.isnan(value) and row[name] == "") or value == float(row[name])
    assert "check" in rows[0] and "check" not in results.table.dtype.names
    assert np.isnan(results.table["reversibility_links"][0]) and results.table["reversibility_links"][2] < 1e-10
    assert results.columns["plaquette"][0].startswith("average of Re tr P / 3") and results.columns["t0"][1] == "a^2"
    flow = results.flow
    assert list(flow.number) == [2, 4] and flow.energy.shape == (2, 5)
    assert np.allclose(flow.time, [0, 0.1, 0.2, 0.3, 0.4])
    assert np.array_equal(flow.plaquette[:, 0], results.table["plaquette"][1::2])
    assert flow.attributes["step"] == 0.05
    assert flow.attributes["program"] == f"trellis {trellis.__version__}" and "beta = 5.7" in flow.attributes["input"]
    links = trellis.GaugeField.read(quenched / "quenched.000004.ildg")
    assert links.plaquette() == results.table["plaquette"][3]
    again = links.flow(time_max=0.4, interval=0.1, step=0.05)
    assert np.array_equal(again["energy"], flow.energy[1])
    assert list(results.tables["cooling"]["steps"]) == [0, 2, 4] * 2
    pion = results.hadrons.correlators[0.12, "point", "pion"]
    assert np.array_equal(pion[0, 0, 0].real, results.tables["hadrons"]["pion"])


def test_a_users_own_table_beside_the_results(quenched, tmp_path):
    shutil.copytree(quenched, tmp_path / "copy")
    (tmp_path / "copy/quenched-mine.csv").write_text("when,what\ntoday,noise,and more\n")
    (tmp_path / "copy/quenched-fits.csv").write_text("trajectory,mass\n1,0.5\n")
    results = trellis.read_results(tmp_path / "copy")
    assert set(results.tables) == set(trellis.read_results(quenched).tables) | {"fits"}
    assert results.tables["fits"]["mass"] == [0.5]
    cooling = tmp_path / "copy/quenched-cooling.csv"
    cooling.write_text(cooling.read_text().replace("0.", "1.", 1))
    with pytest.raises(trellis.Error, match="quenched-cooling.csv"):
        trellis.read_results(tmp_path / "copy")


def test_tables_of_quarks(quarks):
    results = trellis.read_results(quarks, "quarks")
    noise = results.tables["quarks"]
    assert list(noise["flavour"]) == ["l"] * 4 and list(noise["noise_vector"]) == [1, 2, 1, 2]
    assert results.flow is None and results.hadrons is None
    pion = results.staggered_hadrons.correlators["l", "pion"]
    assert pion.shape == (2, 1, 1, 4) and np.all(pion.real > 0)
    assert np.array_equal(pion[:, 0, 0].real.ravel(), results.tables["staggered-hadrons"]["pion"])
    condensate = noise["condensate_re"].reshape(2, 2).mean(axis=1)
    assert np.allclose(results.table["condensate_l"], condensate, rtol=1e-12)


def test_measure(quenched, program, tmp_path):
    import subprocess
    (tmp_path / "m.toml").write_text(f'[configurations]\nfiles = ["{quenched}/*.ildg"]\n[measure]\n'
                                     '[measure.flow]\ntime_max = 0.2\ntime_interval = 0.1\n')
    subprocess.run([program, "measure", "m.toml"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    results = trellis.read_results(tmp_path / "m-results")
    assert list(results.table["row"]) == [1, 2, 3, 4] and results.table["file"][0].endswith("000001.ildg")
    assert list(results.flow.number) == [1, 2, 3, 4]
    assert np.array_equal(results.table["plaquette"], trellis.read_table(quenched / "quenched.csv")["plaquette"])


def test_damage_is_found(quenched, tmp_path):
    text = (quenched / "quenched.csv").read_text()
    file = tmp_path / "t.csv"
    file.write_text(text + "5,0,0.5")  # of a killed job
    assert len(trellis.read_table(file)) == 4
    lines = text.splitlines(keepends=True)
    for bad in (lines[:2] + lines[3:], lines[:2] + [lines[2].replace("0.", "1.", 1)] + lines[3:]):
        file.write_text("".join(bad))
        with pytest.raises(trellis.Error, match=r"t\.csv:3: is damaged"):
            trellis.read_table(file)
    file.write_text(lines[0] + "1,2\n")
    with pytest.raises(trellis.Error, match=r"t\.csv:2: has 2 cells"):
        trellis.read_table(file)
    data = bytearray((quenched / "quenched.flow.h5").read_bytes())
    energy = trellis.read_flow(quenched / "quenched.flow.h5").energy[0, 0]
    place = bytes(data).index(np.float64(energy).tobytes())
    data[place] ^= 1
    (tmp_path / "f.h5").write_bytes(data)
    with pytest.raises(trellis.Error, match="energy"):
        trellis.read_flow(tmp_path / "f.h5")
    toml = (quenched / "quenched.resolved.toml").read_text()
    (tmp_path / "i.toml").write_text(toml.replace("beta = 5.7", "beta = 5.8"))
    with pytest.raises(trellis.Error, match="edited"):
        trellis.read_input(tmp_path / "i.toml")
    with pytest.raises(ValueError, match="has no results"):
        trellis.read_results(tmp_path)


def test_tables_with_what_is_no_number(tmp_path):
    file = tmp_path / "t.csv"
    for cell in ("abc", "0x10", "1e999", "0.5.5"):
        file.write_text(f"trajectory,plaquette\n1,0.5\n2,{cell}\n")
        with pytest.raises(trellis.Error, match=rf"t\.csv:3: the column 'plaquette' has '{cell}', expected a number"):
            trellis.read_table(file)
    file.write_text("trajectory,dH,flavour\n1,inf,l\n2,,7\n3,-inf,s\n")
    table = trellis.read_table(file)
    assert list(table["flavour"]) == ["l", "7", "s"] and table["trajectory"].dtype == np.int64
    assert table["dH"][0] == np.inf and np.isnan(table["dH"][1]) and table["dH"][2] == -np.inf


def test_numbers_that_count_are_integers(tmp_path):
    names = ["chain", "seed", "row", "size_t", "eigenvalue_number", "momentum_x", "gauge_iterations", "calls", "certified_operations",
             "walker_3"]
    file = tmp_path / "t.csv"
    file.write_text(",".join(names) + ",kappa\n" + "5894635876795557479," * len(names) + "3\n")
    table = trellis.read_table(file)
    assert all(table[name].dtype == np.int64 and table[name][0] == 5894635876795557479 for name in names)
    assert table["kappa"].dtype == np.float64
    file.write_text("seed\n58946358767955574790\n")
    with pytest.raises(trellis.Error, match="the column 'seed' has an integer beyond 64 bits"):
        trellis.read_table(file)


def test_what_the_program_calls_an_integer_is_one(quenched):
    described = json.loads((quenched / "quenched.csv-metadata.json").read_text())["tables"]
    for table in described:
        read = trellis.read_table(quenched / table["url"])
        for column in table["tableSchema"]["columns"]:
            values = read[column["name"]] if column["name"] != "check" else np.zeros(1, int)
            if column["datatype"] == "integer" or isinstance(column["datatype"], dict):
                assert values.dtype == np.int64 or np.isnan(values).any(), column["name"]
            elif column["datatype"] == "double":
                assert values.dtype == np.float64, column["name"]


def test_files_that_are_not_there_are_wrong_input(tmp_path):
    for read in (trellis.read_table, trellis.read_flow, trellis.read_hadrons, trellis.read_input,
                 trellis.GaugeField.read, trellis.Chain.from_file):
        with pytest.raises(ValueError, match="(there is no such file|cannot open the file)"):
            read(tmp_path / "none")
    links = trellis.GaugeField.unit(trellis.Lattice((2, 2, 2, 2)))
    with pytest.raises(ValueError, match="there is no folder"):
        links.write(tmp_path / "none/a.ildg")


def series(seed=3, n=4000):
    """Two correlated AR(1) series of tau_int = (1 + a) / (1 - a) / 2 = 1.5."""
    rng = np.random.default_rng(seed)
    noise, x = rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 2]], n), np.zeros((n, 2))
    for i in range(1, n):
        x[i] = 0.5 * x[i - 1] + noise[i]
    table = np.empty(n, dtype=[("trajectory", np.int64), ("a", float), ("b", float)])
    table["trajectory"], table["a"], table["b"] = np.arange(1, n + 1), 1 + x[:, 0], 5 + x[:, 1]
    return table


def test_to_gvar(monkeypatch):
    fake = types.ModuleType("gvar")
    given = {}

    def gvar(mean, covariance):
        given.update(mean=np.array(mean), covariance=np.array(covariance))
        return ["a", "b"]
    fake.gvar = gvar
    monkeypatch.setitem(sys.modules, "gvar", fake)
    table = series()
    table["b"][7] = np.nan
    assert trellis.to_gvar(table, ["a", "b"]) == {"a": "a", "b": "b"}
    with pytest.raises(ValueError, match="to_gvar: there is no column 'c'; there are trajectory, a, b"):
        trellis.to_gvar(table, ["a", "c"])
    kept = np.isfinite(table["b"])
    estimate = trellis.gamma_method(table["a"][kept])
    assert given["mean"][0] == pytest.approx(estimate.mean, rel=1e-14)
    assert given["covariance"][0, 0] == pytest.approx(estimate.error**2, rel=1e-12)
    ratio = given["covariance"][0, 1] / np.sqrt(given["covariance"][0, 0] * given["covariance"][1, 1])
    assert ratio == pytest.approx(np.corrcoef(table["a"][kept], table["b"][kept])[0, 1], rel=1e-10)
    assert estimate.error == pytest.approx(np.sqrt(3 * (4 / 3) / 4000), rel=0.2)  # variance 1 / (1 - 1/4), 2 tau_int = 3


def test_to_pyerrors(monkeypatch):
    fake = types.ModuleType("pyerrors")
    fake.Obs = lambda samples, names, idl: (samples, names, idl)
    monkeypatch.setitem(sys.modules, "pyerrors", fake)
    table = series(n=20)
    table["b"][::2] = np.nan
    found = trellis.to_pyerrors(table, ensemble="A", thermalisation=4)
    samples, names, idl = found["b"]
    assert names == ["A"] and idl == [[6, 8, 10, 12, 14, 16, 18, 20]]
    assert np.array_equal(samples[0], table["b"][5::2])
    assert list(found) == ["a", "b"] and len(found["a"][0][0]) == 16
    table["a"][:] = np.nan
    with pytest.raises(ValueError, match="'a' has no measurement"):
        trellis.to_pyerrors(table)


def test_to_pandas():
    pandas = pytest.importorskip("pandas")
    frame = trellis.to_pandas(series(n=5))
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "trajectory" and frame["a"][3] == series(n=5)["a"][2]
