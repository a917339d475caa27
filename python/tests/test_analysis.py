# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Statistics on data whose answers are known."""

import numpy as np
import pytest

import trellis
from test_results import series


def test_gamma_method():
    table = series(n=20000)
    e = trellis.gamma_method(table["a"])
    assert e.count == 20000 and e.mean == pytest.approx(table["a"].mean())
    assert abs(e.tau_int - 1.5) < 4 * e.tau_int_error and 0 < e.tau_int_error < 0.2
    assert abs(e.mean - 1) < 5 * e.error
    assert str(e).startswith("1.0") or str(e).startswith("0.9")
    halves = trellis.gamma_method([table["a"][:10000], table["a"][10000:]])
    assert halves.mean == pytest.approx(e.mean) and halves.error == pytest.approx(e.error, rel=0.2)
    assert 0 < halves.consistency <= 1
    product = trellis.gamma_method([table["a"], table["b"]], lambda m: m[0] * m[1])
    assert product.mean == pytest.approx(table["a"].mean() * table["b"].mean())
    value, error = trellis.jackknife(lambda m: m[0] * m[1], [table["a"], table["b"]], 200)
    assert value == pytest.approx(product.mean, rel=1e-3) and error == pytest.approx(product.error, rel=0.3)
    rho = trellis.autocorrelation(table["a"], 5)
    assert rho.rho[0] == 1 and np.all(np.abs(rho.rho - 0.5**np.arange(6)) < 5 * np.maximum(rho.rho_error, 1e-12))
    with pytest.raises(ValueError, match="not finite"):
        trellis.gamma_method([1.0, np.nan])
    with pytest.raises(RuntimeError):
        trellis.gamma_method([])


def test_an_error_of_a_python_function_comes_through():
    with pytest.raises(ZeroDivisionError):
        trellis.gamma_method([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0]], lambda m: 1 / 0)


def test_fit():
    x = np.arange(10.0)
    covariance = 0.01 * (0.5 * np.eye(10) + 0.5)
    found = trellis.fit(lambda t, p: p[0] + p[1] * t, x, 2 + 3 * x, covariance, [0.0, 0.0])
    assert found.parameters == pytest.approx([2, 3]) and found.chi2 == pytest.approx(0, abs=1e-10)
    assert found.degrees == 8 and found.probability == pytest.approx(1)
    # One parameter, errors only: the weighted mean.
    y, errors = np.array([1.0, 2.0, 4.0]), np.array([0.1, 0.2, 0.4])
    mean = trellis.fit(lambda t, p: p[0], np.zeros(3), y, errors, [0.0])
    weights = errors**-2
    assert mean.parameters[0] == pytest.approx(np.sum(weights * y) / np.sum(weights))
    assert mean.errors[0] == pytest.approx(np.sum(weights)**-0.5, rel=1e-4)
    with pytest.raises(ValueError, match="covariance"):
        trellis.fit(lambda t, p: p[0], x, x, np.ones(3), [0.0])


def test_fit_of_a_correlator():
    extent, mass, rng = 24, 0.35, np.random.default_rng(8)
    t = np.arange(extent)
    exact = np.exp(-mass * t) + np.exp(-mass * (extent - t))
    data = exact * (1 + 0.02 * rng.normal(size=(400, extent)))
    folded = np.array([trellis.folded(c) for c in data])
    assert folded.shape == (400, 13)
    fit = trellis.fit_correlator(folded, extent, first=2)
    assert abs(fit.mass - mass) < 4 * fit.error and fit.error < 0.01
    assert sum(r.weight for r in fit.ranges) == pytest.approx(1)
    assert trellis.cosh_mass(exact[3], exact[4], 3, extent) == pytest.approx(mass)
    assert trellis.log_mass(2.0, 1.0) == pytest.approx(np.log(2))
    assert np.isnan(fit.partner)
    with pytest.raises(ValueError, match="no number"):
        trellis.folded([])
    with pytest.raises(ValueError, match="known are exponential, cosh"):
        trellis.fit_correlator(folded, extent, model="sinh")
