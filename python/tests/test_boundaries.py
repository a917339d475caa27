# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Boundaries in time: against plain numpy, exact cases, and the program."""

import subprocess

import numpy as np
import pytest

import trellis
from conftest import _run
from test_gauge_field import shifted
from test_quarks import random_vector, staggered, wilson

OPEN = """
[lattice]
size = [4, 4, 4, 6]
boundary = "open"
[action]
name = "symanzik"
beta = 4.0
c_G = 1.2
[smearing]
rho = 0.1
levels = 1
[[flavours]]
name = "l"
mass = 0.4
tastes = 2
[start]
kind = "hot"
[algorithm]
steps = 3
[chain]
trajectories = 2
seed = 5
save_every = 1
[measure]
observables = ["energy", "topological_charge"]
[measure.flow]
time_max = 0.2
time_interval = 0.1
step = 0.05
slices = true
[measure.quarks]
noise_vectors = 2
[measure.hadrons]
kappas = [0.12]
clover = 1.1
c_F = 0.9
channels = ["pion", "proton"]
source_positions = [[0, 1, 2, 2]]
"""

FIXED = """
[lattice]
size = [4, 4, 4, 6]
boundary = "schroedinger_functional"
time_extent = 4
phi = [-1.0, 0.2]
phi_prime = [-3.0, 1.0]
[action]
beta = 6.0
c1 = -0.05
c_G = 0.8
[start]
kind = "hot"
[algorithm]
steps = 3
[chain]
trajectories = 2
seed = 7
save_every = 1
[measure]
observables = ["energy", "eta_derivative"]
[measure.flow]
time_max = 0.2
time_interval = 0.1
step = 0.05
slices = true
[measure.hadrons]
kappas = [0.12]
clover = 1.1
c_F = 0.9
channels = ["pion", "proton"]
source_positions = [[0, 1, 2, 2]]
"""

SIZE = (4, 2, 6, 6)  # x, y, z, t
SHAPE = SIZE[::-1]
SCHROEDINGER = trellis.Boundary("schroedinger_functional", time_extent=4, phi=(-1, 0.2), phi_prime=(-3, 1))


@pytest.fixture(scope="module", params=["open", SCHROEDINGER], ids=["open", "schroedinger"])
def links(request):
    return trellis.GaugeField.random(trellis.Lattice(SIZE), seed=4, boundary=request.param)


def last_slice(links):
    return SIZE[3] - 1 if links.boundary.kind == "open" else links.boundary.time_extent


@pytest.fixture(scope="module", params=[(OPEN, "open"), (FIXED, "fixed")], ids=["open", "schroedinger"])
def ensemble(request, program, tmp_path_factory):
    """The input, and a folder with its results by `trellis run`."""
    text, name = request.param
    return text, _run(program, text, tmp_path_factory.mktemp(name), name), name


def traces(links):
    """{(mu, nu): Re tr P by t, z, y, x} of every plaquette."""
    found = {}
    for mu in range(4):
        for nu in range(mu + 1, 4):
            u, v = links[..., mu, :, :], links[..., nu, :, :]
            p = u @ shifted(v, mu) @ np.conj(np.swapaxes(shifted(u, nu), -1, -2)) @ np.conj(np.swapaxes(v, -1, -2))
            found[mu, nu] = np.trace(p, axis1=-2, axis2=-1).real
    return found


def test_what_a_boundary_is():
    assert trellis.Boundary() == trellis.Boundary("periodic") != trellis.Boundary("open")
    assert trellis.Boundary("open", c_G=1.1).c_G == 1.1 and trellis.Boundary("open").time_extent is None
    assert SCHROEDINGER.phi == (-1, 0.2) and SCHROEDINGER.time_extent == 4
    assert eval(repr(SCHROEDINGER)) == SCHROEDINGER
    weighted = trellis.Boundary("schroedinger_functional", 4, (-1, 0.2), (-3, 1), c1=-0.05, rectangles="weighted",
                                c_G_rectangles=1.2)
    assert weighted.rectangles == "weighted" and weighted.c_G_rectangles == 1.2 and weighted.c1 == -0.05
    assert eval(repr(weighted)) == weighted != SCHROEDINGER
    for arguments, message in [({"rectangles": "none"}, "rectangles: found 'none'"), ({"c1": -0.1}, "c1: found -0.1"),
                               ({"c_G_rectangles": 0}, "c_G_rectangles: found 0")]:
        with pytest.raises(trellis.InputError, match=message):
            trellis.Boundary("open", **arguments)
    for arguments, message in [(("opne",), "expected periodic, open"), (("open", 4), "Schroedinger functional"),
                               (("schroedinger_functional",), "time_extent"),
                               (("schroedinger_functional", 4, (30, 0)), "phi: found 30")]:
        with pytest.raises(trellis.InputError, match=message):
            trellis.Boundary(*arguments)
    with pytest.raises(trellis.InputError, match="c_G"):
        trellis.Boundary("open", c_G=0)
    with pytest.raises(trellis.InputError, match="c_G: found 1.1, but the boundary is periodic"):
        trellis.Boundary(c_G=1.1)
    with pytest.raises(trellis.InputError, match="extent 4 needs .* 6 time slices; the lattice has 8"):
        trellis.GaugeField.unit(trellis.Lattice((4, 4, 4, 8)), SCHROEDINGER)


def test_unit_links():
    lattice = trellis.Lattice(SIZE)
    free = trellis.GaugeField.unit(lattice, "open")
    u = free.as_numpy()
    assert np.all(u[-1, ..., 3, :, :] == 0) and np.all(u[:-1, ..., 3, :, :] == np.eye(3))
    assert free.plaquette() == free.rectangle() == free.plaquette_temporal() == 1
    assert all(np.all(of_slice == 0) for of_slice in free.slices().values())
    assert "open in t" in repr(free) and free.unitarity_violation() == 0
    fixed = trellis.GaugeField.unit(lattice, SCHROEDINGER).as_numpy()
    for t, (a, b) in [(0, SCHROEDINGER.phi), (4, SCHROEDINGER.phi_prime)]:
        for k in range(3):
            assert np.allclose(fixed[t, ..., k, :, :], np.diag(np.exp(1j * np.array([a, b, -a - b]) / SIZE[k])))


def test_averages_and_slices(links):
    end = last_slice(links)
    p = traces(links.as_numpy())
    spatial = np.array([p[plane][:end + 1] for plane in [(0, 1), (0, 2), (1, 2)]])
    temporal = np.array([p[plane][:end] for plane in [(0, 3), (1, 3), (2, 3)]])
    assert links.plaquette_spatial() == pytest.approx(spatial.mean() / 3, abs=1e-13)
    assert links.plaquette_temporal() == pytest.approx(temporal.mean() / 3, abs=1e-13)
    assert links.plaquette() == pytest.approx(np.append(spatial, temporal).mean() / 3, abs=1e-13)
    # V_3 times the sum over slices is the action for g^2 = 1, where plaquettes on boundaries count half.
    half = np.ones(end + 1)
    half[[0, end]] = 0.5
    action = 2 * (np.sum((3 - spatial) * half[None, :, None, None, None]) + np.sum(3 - temporal))
    slices = links.slices()
    assert SIZE[0] * SIZE[1] * SIZE[2] * slices["energy_plaquette"].sum() == pytest.approx(action, rel=1e-12)
    assert slices["energy"][0] == slices["energy"][end] == 0
    assert links.energy_density() == pytest.approx(slices["energy"][1:end].mean(), rel=1e-12)
    assert links.topological_charge() == pytest.approx(slices["topological_charge"].sum(), abs=1e-10)


def test_flow_and_smearing_leave_fixed_links(links):
    end, before = last_slice(links), links.as_numpy()
    flow = links.flow(time_max=0.2, interval=0.1, step=0.05, slices=True)
    assert np.all(np.diff(flow["energy_plaquette"]) < 0)
    assert flow["slices"]["energy"].shape == (3, SIZE[3])
    assert np.array_equal(flow["slices"]["energy"][0], links.slices()["energy"])
    assert flow["energy"][0] == links.energy_density()
    moved = links.copy()
    moved.flow(time_max=0.1, interval=0.1, step=0.05, in_place=True, integrator="euler")
    for smooth in [moved, links.stout(0.1, 2)]:
        assert smooth.boundary == links.boundary and smooth.plaquette() > links.plaquette()
        u = smooth.as_numpy()
        assert np.array_equal(u[end:, ..., 3, :, :], before[end:, ..., 3, :, :])
        if links.boundary.kind != "open":
            assert np.array_equal(u[[0, end], ..., :3, :, :], before[[0, end], ..., :3, :, :])
    with pytest.raises(ValueError, match="expected third_order or euler"):
        links.flow(integrator="rk4")


@pytest.mark.parametrize("name", ["a.ildg", "a.nersc"])
def test_files_and_arrays_say_what_is_open(name, tmp_path):
    links = trellis.GaugeField.random(trellis.Lattice(SIZE), seed=4, boundary="open")
    links.write(tmp_path / name)
    again = trellis.GaugeField.read(tmp_path / name)
    assert again.boundary.kind == "open" and np.allclose(again.as_numpy(), links.as_numpy(), rtol=0, atol=1e-14)
    u = links.as_numpy()
    again = trellis.GaugeField.from_numpy(u)
    assert again.boundary.kind == "open" and again.plaquette() == links.plaquette()
    periodic = trellis.GaugeField.random(trellis.Lattice(SIZE))
    for to, other in [(periodic, links), (links, periodic)]:
        with pytest.raises(ValueError, match="boundary= says"):
            to.assign(other.as_numpy())
    with pytest.raises(ValueError, match="boundary= says periodic"):
        trellis.GaugeField.from_numpy(u, boundary="periodic")
    u[-1, 1, 1, 1, 3] = np.eye(3)  # not all of them
    with pytest.raises(ValueError, match="SU\\(3\\)"):
        trellis.GaugeField.from_numpy(u)


@pytest.mark.parametrize("name", ["a.ildg", "a.nersc", "a.milc", "a.openqcd"])
def test_files_record_a_schroedinger_functional(name, tmp_path):
    size = (4, 2, 6, 6)
    links = trellis.GaugeField.random(trellis.Lattice(size), seed=4, boundary=SCHROEDINGER)
    file = tmp_path / name
    links.write(file, precision="single" if name == "a.milc" else "double")
    openqcd = name == "a.openqcd"  # has slices 0 to T - 1, and does not say what is on T
    again = trellis.GaugeField.read(file, boundary=SCHROEDINGER if openqcd else None)
    assert again.boundary == SCHROEDINGER
    assert again.plaquette() == pytest.approx(links.plaquette(), abs=1e-7 if name == "a.milc" else 1e-13)
    if openqcd:
        assert file.stat().st_size == 24 + 4 * 2 * 6 * 4 * 4 * 144
        with pytest.raises(trellis.InputError, match="6 time slices; the lattice has 4|plaquette"):
            trellis.GaugeField.read(file, boundary=trellis.Boundary("schroedinger_functional", time_extent=4))
        return
    weighted = trellis.Boundary("schroedinger_functional", time_extent=4, c_G=0.9)
    again = trellis.GaugeField.read(file, boundary=weighted)
    assert again.boundary.c_G == 0.9 and again.boundary.phi_prime == SCHROEDINGER.phi_prime
    for other in ["periodic", trellis.Boundary("schroedinger_functional", time_extent=5),
                  trellis.Boundary("schroedinger_functional", time_extent=4, phi=(1, 0.2))]:
        with pytest.raises(trellis.InputError, match="its record says that the boundary in t is Schroedinger"):
            trellis.GaugeField.read(file, boundary=other)


@pytest.mark.parametrize("name", ["a.ildg", "a.nersc", "a.milc"])
def test_files_record_the_weights_at_the_boundary(name, tmp_path):
    boundary = trellis.Boundary("schroedinger_functional", 4, (-1, 0.2), (-3, 1), c_G=1.1, c1=-0.05, rectangles="weighted",
                                c_G_rectangles=1.2)
    links = trellis.GaugeField.random(trellis.Lattice(SIZE), seed=4, boundary=boundary)
    file = tmp_path / name
    links.write(file)
    again = trellis.GaugeField.read(file)
    assert again.boundary == boundary
    assert again.eta_derivative() == pytest.approx(links.eta_derivative(), rel=1e-6 if name == "a.milc" else 1e-12)
    same = trellis.GaugeField.read(file, boundary=trellis.Boundary("schroedinger_functional", 4, c_G=None))
    assert same.boundary == boundary


def test_weights_at_the_boundary_are_not_invented(ensemble, program, tmp_path):
    _, folder, name = ensemble
    if name != "fixed":
        return
    subprocess.run([program, "convert", folder / "fixed.000002.ildg", tmp_path / "a.nersc"], check=True,
                   stdout=subprocess.DEVNULL)
    of_run = trellis.GaugeField.read(folder / "fixed.000002.ildg")
    of_run.write(tmp_path / "kept.ildg")
    assert trellis.GaugeField.read(tmp_path / "kept.ildg").eta_derivative() == of_run.eta_derivative()
    (tmp_path / "m.toml").write_text('[configurations]\nfiles = ["kept.ildg"]\n[measure]\nobservables = ["eta_derivative"]\n')
    subprocess.run([program, "measure", "m.toml"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    assert trellis.read_results(tmp_path / "m-results").table["eta_derivative"][0] == of_run.eta_derivative()
    converted = trellis.GaugeField.read(tmp_path / "a.nersc")
    unknown = converted.boundary
    assert unknown.c_G is unknown.c1 is unknown.rectangles is unknown.c_G_rectangles is None
    assert eval(repr(unknown)) == unknown != trellis.Boundary("schroedinger_functional", 4, unknown.phi, unknown.phi_prime)
    converted.write(tmp_path / "again.ildg")
    for links in [converted, converted.copy(), converted.stout(), trellis.GaugeField.read(tmp_path / "again.ildg")]:
        with pytest.raises(trellis.InputError, match="needs the weights of loops at the boundary, which the file"):
            links.eta_derivative()
    given = trellis.Boundary("schroedinger_functional", 4, c_G=0.8, c1=-0.05)
    assert trellis.GaugeField.read(tmp_path / "a.nersc", boundary=given).eta_derivative() == pytest.approx(
        of_run.eta_derivative(), rel=1e-12)
    for wrong in [{"kind": "open"}, {"time_extent": 4, "c1": 0.1}]:
        with pytest.raises(trellis.InputError, match="c_G: found None, for weights that are not known"):
            trellis.Boundary(**{"kind": "schroedinger_functional", "c_G": None} | wrong)


def test_openqcd_has_functionals_of_even_extent(tmp_path):
    odd = trellis.Boundary("schroedinger_functional", time_extent=5, phi=(-1, 0.2), phi_prime=(-3, 1))
    links = trellis.GaugeField.random(trellis.Lattice(SIZE), boundary=odd)
    with pytest.raises(trellis.InputError, match="even extent"):
        links.write(tmp_path / "a.openqcd")
    assert not (tmp_path / "a.openqcd").exists()


def test_a_name_may_not_be_enough(tmp_path):
    lattice = trellis.Lattice(SIZE)
    for call in [lambda: trellis.GaugeField.unit(lattice, boundary="schroedinger_functional"),
                 lambda: trellis.GaugeField.random(lattice, boundary="schroedinger_functional"),
                 lambda: trellis.GaugeField.from_numpy(trellis.GaugeField.unit(lattice).as_numpy(),
                                                       boundary="schroedinger_functional"),
                 lambda: trellis.GaugeField.read(tmp_path / "a", boundary="schroedinger_functional")]:
        with pytest.raises(trellis.InputError, match="time_extent is missing, and phi and phi_prime"):
            call()
    with pytest.raises(trellis.InputError, match="found 'opened', expected periodic, open or"):
        trellis.GaugeField.unit(lattice, boundary="opened")
    with pytest.raises(TypeError):
        trellis.GaugeField.unit(lattice, boundary=3)


def test_a_chain_is_that_of_the_program(ensemble, tmp_path):
    text, folder, name = ensemble
    table = trellis.read_table(folder / f"{name}.csv")
    chain = trellis.Chain(text, f"{name}.toml")
    for expected in table:
        row = chain.step()
        for column in row:
            if not column.startswith("seconds") and row[column] is not None:
                assert row[column] == expected[column], column
        chain.save(tmp_path / "links.ildg")
        assert (tmp_path / "links.ildg").read_bytes() == (folder / f"{name}.{chain.trajectory:06}.ildg").read_bytes()
    assert row["energy"] == chain.links.energy_density() and row["plaquette"] == chain.links.plaquette()
    if name == "fixed":
        assert row["eta_derivative"] == chain.links.eta_derivative()
        assert chain.links.boundary.c_G == 0.8 and chain.links.boundary.c1 == -0.05


def test_measurements_are_those_of_the_program(ensemble):
    _, folder, name = ensemble
    table = trellis.read_table(folder / f"{name}.csv")
    boundary = None if name == "open" else trellis.Boundary("schroedinger_functional", time_extent=4)
    links = trellis.GaugeField.read(folder / f"{name}.000002.ildg", boundary=boundary)
    of_run = trellis.GaugeField.read(folder / f"{name}.000002.ildg")
    assert of_run.boundary == trellis.Chain(ensemble[0], f"{name}.toml").links.boundary
    assert of_run.plaquette() == links.plaquette() == table["plaquette"][-1]
    if name == "fixed":
        assert of_run.eta_derivative() == pytest.approx(table["eta_derivative"][-1], rel=1e-12)
    flow = links.flow(time_max=0.2, interval=0.1, step=0.05, slices=True)
    stored = trellis.read_flow(folder / f"{name}.flow.h5")
    for column in ["energy", "energy_plaquette", "topological_charge"]:
        assert np.array_equal(flow[column], getattr(stored, column)[-1])
    if name == "open":
        found = trellis.quark_observables(links, {"name": "l", "mass": 0.4, "tastes": 2}, smearing={"rho": 0.1, "levels": 1},
                                          seed=5, trajectory=2, noise_vectors=2)
        assert found["condensate_l"] == table["condensate_l"][-1]
    table = trellis.read_table(folder / f"{name}-slices.csv")
    table = table[table["trajectory"] == 2]
    for column, found in flow["slices"].items():
        assert np.array_equal(found.ravel(), table[column]), column
    found = trellis.hadron_correlators(links, 0.12, clover=1.1, c_F=0.9, channels=["pion", "proton"],
                                       source_positions=[[0, 1, 2, 2]])
    stored = trellis.read_hadrons(folder / f"{name}.hadrons.h5")
    for channel in ("pion", "proton"):
        assert np.array_equal(found[channel][0, 0], stored.correlators[0.12, "point", channel][-1])


def hops(links, first, last):
    """Links of hops within the slices first to last; others are zero."""
    u = links.as_numpy()
    u[:first] = 0
    u[last + 1:] = 0
    u[last, ..., 3, :, :] = 0
    return u


def test_quark_operators(links):
    end = last_slice(links)
    psi = random_vector((*SHAPE, 3))
    first, last = (0, end) if links.boundary.kind == "open" else (1, end - 1)
    d = trellis.StaggeredOperator(links, 0.3)
    assert np.allclose(d.apply(psi), staggered(hops(links, first, last), psi, 0.3), rtol=0, atol=1e-13)
    x, report = d.solve(psi)
    assert report.converged and np.linalg.norm(d.apply(x) - psi) <= 1.01e-10 * np.linalg.norm(psi)
    psi, kappa = random_vector((*SHAPE, 4, 3)), 0.13
    m = trellis.WilsonOperator(links, kappa, c_F=0.9)
    expected = wilson(hops(links, 1, end - 1), psi, kappa)
    for t in (1, end - 1):
        expected[t] += 2 * kappa * (0.9 - 1) * psi[t]
    assert np.allclose(m.apply(psi), expected, rtol=0, atol=1e-13)
    for precision in ("double", "mixed"):
        x, report = m.solve(psi, precision=precision)
        assert report.converged and np.linalg.norm(m.apply(x) - psi) <= 1.01e-10 * np.linalg.norm(psi)


def test_free_quarks_at_rest():
    """The pion of free Wilson quarks between open boundaries: 1 + m for each slice that they cross."""
    links, m0 = trellis.GaugeField.unit(trellis.Lattice((4, 4, 4, 8)), "open"), 0.5
    m = trellis.WilsonOperator(links, 1 / (2 * m0 + 8))
    wall = np.zeros((2, 8, 4, 4, 4, 4, 3), dtype=complex)
    wall[0, 2, ..., 0, 0], wall[0, 2, ..., 2, 0] = 1, 1    # gamma_t = 1
    wall[1, 2, ..., 0, 0], wall[1, 2, ..., 2, 0] = 1, -1   # gamma_t = -1
    x, _ = m.solve(wall)
    after = [x[0, t, 0, 0, 0, 0, 0].real for t in range(3, 7)]
    before = [x[1, t, 0, 0, 0, 0, 0].real for t in range(1, 0, -1)]
    start = x[0, 2, 0, 0, 0, 0, 0].real
    assert np.allclose(np.divide(after, start), [(1 + m0)**-n for n in range(1, 5)], rtol=1e-8)
    assert np.allclose(np.divide(before, x[1, 2, 0, 0, 0, 0, 0].real), [(1 + m0)**-1], rtol=1e-8)
    assert np.all(x[:, [0, 7]] == 0)


def test_staggered_measurements_by_dense_matrices(links):
    first, last = (0, last_slice(links)) if links.boundary.kind == "open" else (1, last_slice(links) - 1)
    mass, volume = 0.4, SIZE[0] * SIZE[1] * SIZE[2]
    shape = (*SHAPE, 3)
    d = trellis.StaggeredOperator(links, mass)
    matrix = np.array([d.apply(unit.reshape(shape)).ravel() for unit in np.eye(np.prod(shape), dtype=complex)]).T
    inverse = np.linalg.inv(matrix)
    where = np.indices(shape)[0].ravel()
    inside = (where >= first) & (where <= last)
    exact = np.trace(inverse[np.ix_(inside, inside)]).real / (4 * volume * (last - first + 1))
    flavour = {"name": "l", "mass": mass, "tastes": 1}
    found = trellis.quark_observables(links, flavour, noise="exact", residual=1e-11)
    assert found["condensate_l"] == pytest.approx(exact, rel=1e-9)
    # The pion from the site (0, 0, 0, 2) is the sum of |G|^2, by t from the source.
    source = np.ravel_multi_index((2, 0, 0, 0, 0), shape)
    squares = np.abs(inverse[:, source:source + 3])**2
    by_slice = np.array([squares[where == t].sum() for t in range(SIZE[3])])
    pion = trellis.staggered_hadron_correlators(links, flavour, channels=["pion"], source_positions=[[0, 0, 0, 2]],
                                                residual=1e-11)["l", "pion"][0, 0]
    assert np.allclose(pion.real, np.roll(by_slice, -2), rtol=1e-8, atol=1e-12)


def test_loops_and_smoothings(links):
    unit = trellis.GaugeField.unit(links.lattice, boundary=links.boundary)
    loops = unit.wilson_loops(distance=1, time=2, ape_levels=[0, 1])
    if links.boundary.kind == "open" or not any(links.boundary.phi + links.boundary.phi_prime):
        assert np.allclose(loops["value"], 1, atol=1e-13)
    whole = links.wilson_loops(distance=1, time=1)["value"][0]
    assert whole == pytest.approx(links.plaquette_temporal(), abs=1e-13)
    assert links.wilson_loops(distance=1, time=1, boundary_distance=1)["value"][0] != whole
    with pytest.raises(trellis.InputError):
        links.wilson_loops(time=SIZE[3])
    glueballs = links.glueball_operators(ape_levels=[0])
    last = links.boundary.time_extent or SIZE[3] - 1
    assert len(glueballs["time"]) == SIZE[3] and np.all(glueballs["scalar"][last + 1:] == 0)
    assert glueballs["scalar"][1:last].mean() != 0
    fixed = links.as_numpy()[-1, ..., 3, :, :]
    for smooth in (links.cooled(2), links.stout(0.1, 2)):
        assert smooth.plaquette() > links.plaquette()
        assert smooth.boundary == links.boundary
        assert np.array_equal(smooth.as_numpy()[-1, ..., 3, :, :], fixed)


def test_what_knows_only_periodic_lattices(links):
    with pytest.raises(trellis.InputError, match="polyakov_loop in t knows only periodic lattices"):
        links.polyakov_loop()
    links.parallelogram()
    links.polyakov_loop(0)
    with pytest.raises(trellis.InputError, match="imaginary_mu"):
        trellis.StaggeredOperator(links, 0.1, imaginary_mu=0.2)
    with pytest.raises(trellis.InputError, match="nothing depends on imaginary_mu"):
        trellis.quark_observables(links, {"name": "l", "mass": 0.1, "imaginary_mu": 0.2})
    with pytest.raises(trellis.InputError, match="flux"):
        trellis.StaggeredOperator(links, 0.1, flux_quanta=(1, 0, 0, 0, 0, 0))
    with pytest.raises(trellis.InputError, match="Wilson quarks are on the slices 1 to"):
        trellis.hadron_correlators(links, 0.12, channels=["pion"])
    periodic = trellis.GaugeField.random(trellis.Lattice(SIZE))
    with pytest.raises(trellis.InputError, match="c_F"):
        trellis.hadron_correlators(periodic, 0.12, channels=["pion"], c_F=0.9)
    with pytest.raises(trellis.InputError, match="Schroedinger functional"):
        periodic.eta_derivative()
