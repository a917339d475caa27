# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Operators against the textbook's formulas in numpy, solvers against their equation."""

import numpy as np
import pytest

import trellis
from conftest import _run

SIZE = (4, 2, 6, 4)  # x, y, z, t


def shifted(field, mu, by=-1):
    """field(x + mu); by = 1: field(x - mu)."""
    return np.roll(field, by, axis=3 - mu)


@pytest.fixture(scope="module")
def links():
    return trellis.GaugeField.random(trellis.Lattice(SIZE), seed=4)


def random_vector(shape, seed=1):
    rng = np.random.default_rng(seed)
    return rng.normal(size=shape) + 1j * rng.normal(size=shape)


def with_boundary(links, angle_over_pi=1):
    """The links, with a phase where they leave the last time slice."""
    u = links.as_numpy()
    u[-1, :, :, :, 3] *= np.exp(1j * np.pi * angle_over_pi)
    return u


def staggered(u, psi, mass):
    t, z, y, x = np.indices(psi.shape[:4])
    signs = [np.ones_like(x), (-1)**x, (-1)**(x + y), (-1)**(x + y + z)]
    out = mass * psi
    for mu in range(4):
        forward = np.einsum("...ab,...b->...a", u[..., mu, :, :], shifted(psi, mu))
        backward = shifted(np.einsum("...ba,...b->...a", np.conj(u[..., mu, :, :]), psi), mu, 1)
        out = out + 0.5 * signs[mu][..., None] * (forward - backward)
    return out


# The DeGrand-Rossi basis.
SX, SY, SZ = np.array([[0, 1], [1, 0]]), np.array([[0, -1j], [1j, 0]]), np.diag([1, -1])
O, I2 = np.zeros((2, 2)), np.eye(2)
GAMMA = [np.block([[O, 1j * SX], [-1j * SX, O]]), np.block([[O, -1j * SY], [1j * SY, O]]),
         np.block([[O, 1j * SZ], [-1j * SZ, O]]), np.block([[O, I2], [I2, O]])]


def wilson(u, psi, kappa):
    out = psi.copy()
    for mu in range(4):
        forward = np.einsum("...ab,...sb->...sa", u[..., mu, :, :], shifted(psi, mu))
        backward = shifted(np.einsum("...ba,...sb->...sa", np.conj(u[..., mu, :, :]), psi), mu, 1)
        out = out - kappa * (np.einsum("rs,...sb->...rb", np.eye(4) - GAMMA[mu], forward)
                             + np.einsum("rs,...sb->...rb", np.eye(4) + GAMMA[mu], backward))
    return out


def test_phases_out_of_range(links):
    for options in ({"imaginary_mu": float("nan")}, {"imaginary_mu": 1e4}, {"space_angles_over_pi": (float("nan"), 0, 0)},
                    {"space_angles_over_pi": (0, 0, 2.5)}):
        with pytest.raises(trellis.InputError, match=next(iter(options))):
            trellis.StaggeredOperator(links, 0.1, **options)


def test_gamma_matrices_of_this_test():
    for mu in range(4):
        for nu in range(4):
            assert np.allclose(GAMMA[mu] @ GAMMA[nu] + GAMMA[nu] @ GAMMA[mu], 2 * (mu == nu) * np.eye(4))
    assert np.allclose(GAMMA[0] @ GAMMA[1] @ GAMMA[2] @ GAMMA[3], np.diag([1, 1, -1, -1]))


def test_staggered_operator(links):
    psi, mass = random_vector((4, 6, 2, 4, 3)), 0.3
    d = trellis.StaggeredOperator(links, mass)
    assert d.mass == mass
    assert np.allclose(d.apply(psi), staggered(with_boundary(links), psi, mass), rtol=0, atol=1e-13)
    periodic = trellis.StaggeredOperator(links, mass, antiperiodic_time=False)
    assert np.allclose(periodic.apply(psi), staggered(links.as_numpy(), psi, mass), rtol=0, atol=1e-13)
    twisted = trellis.StaggeredOperator(links, mass, space_angles_over_pi=(0.3, -0.7, 0))
    phased = with_boundary(links)  # [t][z][y][x][mu], 4 sites in x, 2 in y
    phased[..., 0, :, :] *= np.exp(1j * np.pi * 0.3 / 4)
    phased[..., 1, :, :] *= np.exp(-1j * np.pi * 0.7 / 2)
    assert np.allclose(twisted.apply(psi), staggered(phased, psi, mass), rtol=0, atol=1e-13)
    chi = random_vector(psi.shape, 2)
    assert np.vdot(chi, d.apply(psi)) == pytest.approx(np.vdot(d.apply_adjoint(chi), psi), abs=1e-11)
    assert np.allclose(d.apply(psi) + d.apply_adjoint(psi), 2 * mass * psi, rtol=0, atol=1e-13)  # D^dagger = -D


def test_staggered_solver(links):
    b = random_vector((3, 4, 6, 2, 4, 3))
    d = trellis.StaggeredOperator(links, 0.2)
    x, report = d.solve(b, residual=1e-11)
    assert report.converged and report.iterations > 10 and "CG" in report.method
    for n in range(3):
        residual = np.linalg.norm(staggered(with_boundary(links), x[n], 0.2) - b[n]) / np.linalg.norm(b[n])
        assert residual <= 1e-11
        assert residual == pytest.approx(report.residuals[n], rel=0.2)
    one, _ = d.solve(b[1], residual=1e-11)
    assert one.shape == b[1].shape
    assert np.array_equal(d.apply(b)[2], d.apply(b[2]))


def test_wilson_operator(links):
    psi, kappa = random_vector((4, 6, 2, 4, 4, 3)), 0.13
    m = trellis.WilsonOperator(links, kappa)
    assert np.allclose(m.apply(psi), wilson(with_boundary(links), psi, kappa), rtol=0, atol=1e-13)
    clover = trellis.WilsonOperator(links, kappa, clover=1.2, boundary_angle_over_pi=(0, 0, 0, 0.5))
    assert not np.allclose(clover.apply(psi), m.apply(psi))
    chi = random_vector(psi.shape, 2)
    assert np.vdot(chi, clover.apply(psi)) == pytest.approx(np.vdot(clover.apply_adjoint(chi), psi), abs=1e-11)
    gamma5 = np.array([1, 1, -1, -1])[:, None]
    assert np.allclose(gamma5 * clover.apply(gamma5 * psi), clover.apply_adjoint(psi), rtol=0, atol=1e-13)


@pytest.mark.parametrize("solver, precision", [("cg", "double"), ("bicgstab", "double"), ("bicgstab", "mixed"),
                                               ("gcr", "double"), ("bicgstab", "16-bit")])
def test_wilson_solvers(links, solver, precision):
    smooth = links.stout(0.1, 3)
    b = random_vector((2, 4, 6, 2, 4, 4, 3))
    m = trellis.WilsonOperator(smooth, 0.11, clover=1)
    x, report = m.solve(b, solver=solver, precision=precision, residual=1e-9)
    assert report.converged
    assert np.linalg.norm(m.apply(x)[0] - b[0]) <= 1.01e-9 * np.linalg.norm(b[0])


def test_operators_keep_the_links_they_were_made_of(links):
    u, b = links.stout(0.1, 2), random_vector((4, 6, 2, 4, 4, 3))
    m = trellis.WilsonOperator(u, 0.11)
    first, _ = m.solve(b)
    u.assign(trellis.GaugeField.unit(u.lattice).as_numpy())
    for precision in ("double", "mixed"):
        again, _ = m.solve(b, precision=precision)
        assert np.linalg.norm(m.apply(again) - b) <= 1.01e-10 * np.linalg.norm(b)
    assert np.array_equal(m.solve(b)[0], first)
    d, chi = trellis.StaggeredOperator(u, 0.1), random_vector((4, 6, 2, 4, 3))
    before = d.apply(chi)
    u.assign(links.as_numpy())
    assert np.array_equal(d.apply(chi), before)


def test_wrong_arguments(links):
    d, m = trellis.StaggeredOperator(links, 0.1), trellis.WilsonOperator(links, 0.12)
    with pytest.raises(ValueError, match="vector: found an array of shape"):
        d.apply(np.zeros((4, 4, 4, 4, 3)))
    with pytest.raises(ValueError, match="expected"):
        m.apply(np.zeros((4, 6, 2, 4, 3)))
    with pytest.raises(ValueError, match="at most 64"):
        d.apply(np.zeros((65, 4, 6, 2, 4, 3)))
    with pytest.raises(ValueError, match="known are cg"):
        m.solve(np.ones((4, 6, 2, 4, 4, 3)), solver="multigrid")
    with pytest.raises(ValueError, match="kappa"):
        trellis.WilsonOperator(links, -1)
    with pytest.raises(ValueError, match="mass"):
        trellis.StaggeredOperator(links, -1)
    with pytest.raises(ValueError, match="residual"):
        d.solve(np.ones((4, 6, 2, 4, 3)), residual=0)
    with pytest.raises(trellis.Error, match="residual") as thrown:
        d.solve(random_vector((4, 6, 2, 4, 3)), max_iterations=2)
    assert not isinstance(thrown.value, ValueError)


def test_hadron_correlators(links, quenched):
    # Those of the program on the same links.
    stored = trellis.read_hadrons(quenched / "quenched.hadrons.h5")
    saved = trellis.GaugeField.read(quenched / "quenched.000004.ildg")
    found = trellis.hadron_correlators(saved, 0.12, channels=["pion", "proton"])
    assert list(stored.number) == [4]
    for channel in ("pion", "proton"):
        assert found[channel].shape == (1, 1, 1, 1, 4)
        assert np.array_equal(found[channel][0, 0], stored.correlators[0.12, "point", channel][0])
    assert found.kappas == [0.12] and found.sinks == ["point"] and found.residual <= 1e-10
    # The pion is the sum of |S|^2 of twelve solutions, S = 2 kappa M^-1.
    source = np.zeros((12, 4, 4, 4, 4, 4, 3), dtype=complex)
    for n in range(12):
        source[n, 0, 0, 0, 0, n // 3, n % 3] = 1
    x, _ = trellis.WilsonOperator(saved, 0.12).solve(source, residual=1e-10)
    pion = np.sum(np.abs(0.24 * x)**2, axis=(0, 2, 3, 4, 5, 6))
    assert np.allclose(found["pion"][0, 0, 0, 0].real, pion, rtol=1e-8)
    with pytest.raises(ValueError, match="did you mean 'channels'"):
        trellis.hadron_correlators(links, 0.12, chanels=["pion"])
    with pytest.raises(ValueError, match="pion"):
        trellis.hadron_correlators(links, [0.12], channels=["pio"])


def test_hadrons_of_quarks_with_names(links):
    quarks = [{"name": "l", "kappa": 0.12}, {"name": "s", "mass": 0.5, "clover": 1.0}]
    found = trellis.hadron_correlators(links, quarks=quarks, channels=["pion", "lambda"], sinks=["point"])
    assert set(found.correlators) == {("l.l", "pion"), ("l.s", "pion"), ("s.s", "pion"), ("l.l.s", "lambda"),
                                      ("s.s.l", "lambda")}
    one = trellis.hadron_correlators(links, 0.12, channels=["pion"])
    assert found["l.l", "pion"].shape == one["pion"].shape[1:]
    np.testing.assert_array_equal(found["l.l", "pion"], one["pion"][0])
    with pytest.raises(trellis.InputError, match="quarks"):
        trellis.hadron_correlators(links, 0.12, quarks=quarks)
    with pytest.raises(trellis.InputError, match="kappas"):
        trellis.hadron_correlators(links)


NOISE = """
[lattice]
size = [4, 4, 4, 4]
[action]
beta = 5.7
[algorithm]
steps = 6
[chain]
trajectories = 1
seed = 12
save_every = 1
[[measure.hadrons.quarks]]
name = "l"
kappa = 0.12
[measure.hadrons]
"""


def test_noise_and_fixed_sinks_are_those_of_a_run(program, tmp_path):
    noise = {"source": "z2_wall", "noise_vectors": 2, "channels": ["pion"]}
    sink = {"name": "pion_v", "quarks": "l.l", "channel": "pion", "sink_time": 2, "currents": ["vector_t", "scalar"],
            "momenta": [[0, 0, 0], [1, 0, 0]]}
    fixed = {"channels": ["pion"], "source_positions": [[0, 1, 2, 1]], "fixed_sinks": [sink]}
    quarks = [{"name": "l", "kappa": 0.12}]
    for name, keys in [("noise", noise), ("fixed", fixed)]:
        text = "".join(f"{key} = {trellis.hadrons._toml(value)}\n" for key, value in keys.items())
        folder = _run(program, NOISE + text, tmp_path, name)
        links = trellis.GaugeField.read(folder / f"{name}.000001.ildg")
        found = trellis.hadron_correlators(links, quarks=quarks, seed=12, trajectory=1, **keys)
        stored = trellis.read_hadrons(folder / f"{name}.hadrons.h5")
        assert np.array_equal(found["l.l", "pion"][0], stored.correlators["l.l", "point", "pion"][0])
        if name == "noise":
            other = trellis.hadron_correlators(links, quarks=quarks, **keys)
            assert not np.array_equal(other["l.l", "pion"], found["l.l", "pion"]) and found.three_point == {}
            continue
        table = trellis.read_table(folder / f"{name}-three-point.csv")
        assert set(found.three_point) == {("pion_v", "vector_t"), ("pion_v", "scalar")}
        for (_, current), values in found.three_point.items():
            rows = table[table["current"] == current]
            assert values.shape == (1, 2, 4) and len(rows) == 8
            assert np.array_equal(values[0].ravel(), rows["three_point_re"] + 1j * rows["three_point_im"])


def test_kept_propagators_are_those_of_the_links(links, tmp_path):
    other = links.stout(0.1, 1)
    wanted = [trellis.hadron_correlators(u, 0.12, channels=["pion"])["pion"] for u in (links, other)]
    for _ in range(2):  # solved for, then read
        for u, expected in zip((links, other), wanted):
            found = trellis.hadron_correlators(u, 0.12, channels=["pion"], propagators=str(tmp_path / "kept"))
            assert np.allclose(found["pion"], expected, rtol=1e-8)
            assert np.array_equal(found["pion"], expected)
    assert len(list((tmp_path / "kept").iterdir())) == 2


def test_staggered_measurements_are_those_of_a_run(quarks):
    links = trellis.GaugeField.read(quarks / "quarks.000002.ildg")
    flavour, smearing = {"name": "l", "mass": 0.3, "tastes": 2}, {"rho": 0.1, "levels": 1}
    row = trellis.read_table(quarks / "quarks.csv")[-1]
    found = trellis.quark_observables(links, flavour, smearing=smearing, seed=5, trajectory=2, observables=["condensate"],
                                      noise_vectors=2)
    assert set(found) == {"condensate_l", "chiral_disconnected_l"}
    assert all(value == row[name] for name, value in found.items())
    hadrons = trellis.staggered_hadron_correlators(links, [flavour], smearing=smearing, channels=["pion"])
    stored = trellis.read_hadrons(quarks / "quarks.staggered-hadrons.h5")
    assert np.array_equal(hadrons["l", "pion"], stored.correlators["l", "pion"][-1])
    assert hadrons.ward_identity < 1e-8 and list(hadrons.sources[0]) == [0, 0, 0, 0]
    exact = trellis.quark_observables(links, flavour, smearing=smearing, noise="exact")["condensate_l"]
    assert abs(exact - found["condensate_l"]) < 0.1 * exact
    with pytest.raises(trellis.InputError, match="did you mean 'mass'"):
        trellis.quark_observables(links, {"name": "l", "mas": 0.3})


def test_sources_that_cannot_be_solved_for():
    u = trellis.GaugeField.random(trellis.Lattice((4, 4, 4, 4)), 5)
    staggered, wilson = trellis.StaggeredOperator(u, 0.1), trellis.WilsonOperator(u, 0.1)
    for operator, numbers in ((staggered, (3,)), (wilson, (4, 3))):
        b = np.ones((4, 4, 4, 4) + numbers, complex)
        for bad in (np.nan, np.inf):
            b[1, 2, 3, 0] = bad
            with pytest.raises(ValueError, match="vector: a number is not finite"):
                operator.solve(b)
            b[1, 2, 3, 0] = 1
        for small in (1e-320, 1e-200, 1e-150):
            with pytest.raises(ValueError, match="too small for double precision; multiply b by a power of 2"):
                operator.solve(small * b)
        x, report = operator.solve(0 * b)
        assert report.converged and not np.any(x)
        # The bins of exact sums are apart by factors of 2^26, the squares of 2^13.
        x, report = operator.solve(2.0**-130 * b)
        assert np.array_equal(2.0**130 * x, operator.solve(b)[0])


def test_operators_with_boundaries_in_time_take_all_arguments():
    lattice = trellis.Lattice((4, 4, 4, 4))
    functional = trellis.Boundary("schroedinger_functional", time_extent=3, phi=(-1.0472, 0), phi_prime=(-3.1416, 1.0472))
    b = np.ones((4, 4, 4, 4, 3), complex)
    for boundary in ("open", functional):
        u = trellis.GaugeField.random(lattice, 5, boundary=boundary)
        # Nothing crosses the boundary, so its sign does not count.
        x = [trellis.StaggeredOperator(u, 0.5, antiperiodic_time=sign).solve(b)[0] for sign in (True, False)]
        assert np.array_equal(x[0], x[1])
        trellis.WilsonOperator(u, 0.1, clover=1, boundary_angle_over_pi=(0, 0, 0, 0), c_F=0.9)
