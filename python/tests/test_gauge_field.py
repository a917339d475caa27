# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Lattices and gauge fields: against plain numpy, and against what the program prints."""

import json
import subprocess

import numpy as np
import pytest

import trellis

SIZE = (4, 6, 2, 8)  # x, y, z, t


def shifted(links, mu):
    """The array at x + mu."""
    return np.roll(links, -1, axis=3 - mu)


def naive_plaquettes(links):
    """{(mu, nu): average of Re tr P / 3} by the textbook's formula."""
    averages = {}
    for mu in range(4):
        for nu in range(mu + 1, 4):
            u, v = links[..., mu, :, :], links[..., nu, :, :]
            staple = shifted(u, nu) @ np.eye(3)
            p = u @ shifted(v, mu) @ np.conj(np.swapaxes(staple, -1, -2)) @ np.conj(np.swapaxes(v, -1, -2))
            averages[mu, nu] = np.trace(p, axis1=-2, axis2=-1).real.mean() / 3
    return averages


@pytest.fixture(scope="module")
def links():
    return trellis.GaugeField.random(trellis.Lattice(SIZE), seed=3).stout(0.1, 2)


def test_the_order_of_numpy_arrays(links):
    u = links.as_numpy()
    assert u.shape == (8, 2, 6, 4, 4, 3, 3) and u.dtype == np.complex128
    averages = naive_plaquettes(u)
    assert links.plaquette() == pytest.approx(np.mean(list(averages.values())), abs=1e-14)
    spatial = [averages[plane] for plane in [(0, 1), (0, 2), (1, 2)]]
    assert links.plaquette_spatial() == pytest.approx(np.mean(spatial), abs=1e-14)
    assert links.plaquette_temporal() == pytest.approx(
        np.mean([averages[plane] for plane in [(0, 3), (1, 3), (2, 3)]]), abs=1e-14)
    for direction in range(4):
        line = np.eye(3)
        for n in range(SIZE[direction]):
            line = line @ np.take(u, n, axis=3 - direction)[..., direction, :, :]
        naive = np.trace(line, axis1=-2, axis2=-1).mean() / 3
        assert links.polyakov_loop(direction) == pytest.approx(naive, abs=1e-14)


def test_wilson_loops_and_glueballs(links):
    loops = links.wilson_loops(["100", "110"], distance=1, time=1, ape_levels=[0, 2])
    assert list(loops["direction"]) == ["100"] * 3 + ["110"] * 3
    assert loops["value"][loops["direction"] == "110"].shape == (3,)
    assert list(loops["level"]) == [0, 0, 2] * 2 and list(loops["other_level"]) == [0, 2, 2] * 2
    assert loops["value"][0] == pytest.approx(links.plaquette_temporal(), abs=1e-14)
    assert links.wilson_loops(distance=1, time=1, hyp_alpha=[0.75, 0.6, 0.3])["value"][0] > loops["value"][0]
    glueballs = links.glueball_operators(ape_levels=[0])
    assert list(glueballs["time"]) == list(range(links.lattice.extents[3]))
    assert glueballs["scalar"].mean() == pytest.approx(links.plaquette_spatial(), abs=1e-14)
    with pytest.raises(ValueError, match="half of the lattice"):
        links.wilson_loops(distance=40)


def test_from_numpy_and_back_is_exact(links):
    u = links.as_numpy()
    again = trellis.GaugeField.from_numpy(u)
    assert np.array_equal(again.as_numpy(), u)
    assert again.plaquette() == links.plaquette()
    other = trellis.GaugeField.unit(trellis.Lattice(SIZE))
    assert other.plaquette() == 1
    other.assign(u)
    assert np.array_equal(other.as_numpy(), u)


def test_arrays_that_are_no_links_are_refused(links):
    u = links.as_numpy()
    with pytest.raises(ValueError, match="SU\\(3\\)"):
        trellis.GaugeField.from_numpy(2 * u)
    with pytest.raises(ValueError, match="expected 7"):
        trellis.GaugeField.from_numpy(u[0])
    u[0, 0, 0, 0, 0, 0, 0] = np.nan
    before = links.copy()
    with pytest.raises(ValueError, match="SU\\(3\\)"):
        before.assign(u)
    assert np.array_equal(before.as_numpy(), links.as_numpy())
    trellis.GaugeField.from_numpy(2 * links.as_numpy(), tolerance=None)


def test_bad_lattices_are_refused():
    for extents in [(3, 4, 4, 4), (4, 4, 4, 0), (4, 4, -4, 4)]:
        with pytest.raises(ValueError, match="even"):
            trellis.Lattice(extents)
    with pytest.raises(TypeError):
        trellis.Lattice((4, 4, 4))
    with pytest.raises(ValueError, match="lanes"):
        trellis.Lattice(SIZE, lanes=3)


def test_lattices_are_compared():
    lattice = trellis.Lattice(SIZE)
    assert lattice == trellis.Lattice(SIZE) and lattice != trellis.Lattice((4, 4, 4, 4))
    assert lattice != SIZE and not lattice == "lattice"


@pytest.mark.parametrize("format, precision", [("ildg", "double"), ("ildg", "single"), ("nersc", "double")])
def test_files(links, format, precision, tmp_path, program):
    file = tmp_path / f"links.{format}"
    links.write(file, precision=precision)
    again = trellis.GaugeField.read(file)
    tolerance = 0 if precision == "double" else 1e-6
    assert np.max(np.abs(again.as_numpy() - links.as_numpy())) <= tolerance
    shown = json.loads(subprocess.run([program, "inspect", "--json", file], check=True, capture_output=True).stdout)
    assert shown[0]["plaquette"] == pytest.approx(again.plaquette(), abs=1e-13)


def test_formats_with_one_precision(links, tmp_path):
    links.write(tmp_path / "links.milc")
    assert np.max(np.abs(trellis.GaugeField.read(tmp_path / "links.milc").as_numpy() - links.as_numpy())) < 1e-6
    for name, precision in (("links.milc", "double"), ("links.openqcd", "single")):
        with pytest.raises(trellis.InputError, match=f"found '{precision}'"):
            links.write(tmp_path / name, precision=precision)


def test_flow_of_an_unknown_rectangle(links):
    for options, why in (({"c1": 1.0}, "c1: found 1"), ({"c1": float("nan")}, "c1: found nan"),
                         ({"c1": -0.1, "action": "iwasaki"}, "either it or c1")):
        with pytest.raises(trellis.InputError, match=why):
            links.flow(time_max=0.1, **options)


def test_files_of_others(source):
    milc = source / "tests/data/milc/lat.sample.l8888"
    assert trellis.GaugeField.read(milc).plaquette() == pytest.approx(0.593560240433, abs=1e-9)  # README.md
    sizeless = source / "tests/data/lqjl/HMC_L04040404_beta5.7_quenched_su3.ildg"
    with pytest.raises(ValueError, match=r"lattice size.* in Python size=\(4, 4, 4, 4\)"):
        trellis.GaugeField.read(sizeless)
    assert trellis.GaugeField.read(sizeless, size=(4, 4, 4, 4)).lattice.volume == 256


def test_errors_of_files(tmp_path, links):
    with pytest.raises(trellis.InputError, match="nothing.ildg"):
        trellis.GaugeField.read(tmp_path / "nothing.ildg")
    with pytest.raises(ValueError, match="extension"):
        links.write(tmp_path / "links.xyz")
    with pytest.raises(ValueError, match="found 'half'"):
        links.write(tmp_path / "links.ildg", precision="half")
    file = tmp_path / "links.ildg"
    links.write(file)
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(trellis.Error, match="checksum"):
        trellis.GaugeField.read(file)


def test_flow(links):
    before = links.as_numpy()
    flow = links.flow(time_max=1, interval=0.25, step=0.05)
    assert np.array_equal(links.as_numpy(), before)
    assert np.allclose(flow["time"], [0, 0.25, 0.5, 0.75, 1])
    assert flow["plaquette"][0] == links.plaquette()
    assert flow["energy"][0] == links.energy_density()
    assert flow["topological_charge"][0] == links.topological_charge()
    assert np.all(np.diff(flow["energy_plaquette"]) < 0)  # the action that drives it falls
    t2e = flow["time"]**2 * flow["energy"]
    assert (flow["t0"] is None) == (np.max(t2e) < 0.3)
    moved = links.copy()
    moved.flow(time_max=1, interval=1, step=0.05, in_place=True)
    assert moved.plaquette() == pytest.approx(flow["plaquette"][-1], abs=1e-12)
    with pytest.raises(ValueError):
        links.flow(time_max=-1)
    with pytest.raises(ValueError, match="symanzik"):
        links.flow(action="simanzik")


def test_smoothing_raises_the_plaquette(links):
    assert links.plaquette() < links.stout(0.1, 1).plaquette() < links.cooled(2).plaquette() <= 1
    with pytest.raises(ValueError, match="rho"):
        links.stout(0.7)


def test_reunitarise(links):
    u = trellis.GaugeField.from_numpy(links.as_numpy() * (1 + 1e-9))
    assert u.unitarity_violation() > 1e-10
    u.reunitarise()
    assert u.unitarity_violation() < 1e-13


def test_threads_change_no_bit(links):
    threads = trellis.threads()
    one = None
    try:
        for count in (1, 2):
            trellis.set_threads(count)
            found = (links.plaquette(), links.topological_charge(), links.flow(time_max=0.2, interval=0.2)["energy"][-1])
            one = one or found
            assert found == one
    finally:
        trellis.set_threads(threads)
    with pytest.raises(ValueError):
        trellis.set_threads(0)


def test_an_open_boundary_is_recognised(links, tmp_path):
    u = links.as_numpy().copy()
    u[-1, :, :, :, 3] = 0  # the links that leave the last time slice
    x, y, z, t = SIZE
    data = [np.array([t, x, y, z], dtype="<i4").tobytes(), np.full(1, 3 * np.mean(list(naive_plaquettes(u).values())), dtype="<f8").tobytes()]
    for at in np.ndindex(t, x, y, z):
        if sum(at) % 2 == 0:
            continue
        for place, mu in enumerate([3, 0, 1, 2]):
            before = list(at)
            before[place] -= 1
            for a, b, c, d in (at, before):
                data.append(u[a, d, c, b, mu].astype("<c16").tobytes())
    file = tmp_path / "open"
    file.write_bytes(b"".join(data))
    found = trellis.GaugeField.read(file)
    assert found.boundary.kind == "open" and np.array_equal(found.as_numpy(), u)
    with pytest.raises(ValueError, match="the boundary in t is open .*but boundary= says periodic"):
        trellis.GaugeField.read(file, boundary="periodic")


def test_links_that_are_not_finite_are_errors():
    for number in (np.nan, np.inf):
        links = trellis.GaugeField.random(trellis.Lattice((4, 4, 4, 4)), seed=1)
        u = links.as_numpy()
        u[3, 1, 0, 2, 1, 0, 2] = number
        links = trellis.GaugeField.from_numpy(u, tolerance=None)
        for call in [lambda: links.flow(0.1), lambda: links.flow(0.1, integrator="euler"), lambda: links.cooled(1), links.stout,
                     links.reunitarise, lambda: links.wilson_loops(distance=1, time=1, ape_levels=[1]),
                     lambda: links.glueball_operators(ape_levels=[1])]:
            with pytest.raises(trellis.InputError, match=r"the link at \(2, 0, 1, 3\) in direction y is not finite"):
                call()
