# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Statistics on data whose answers are known."""

import copy
import pickle

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
    for s in (0, -1, np.nan):
        with pytest.raises(ValueError, match="must be above 0"):
            trellis.gamma_method(table["a"][:100], s=s)


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


def test_wrong_arguments():
    numbers, correlators = np.arange(20.0), np.exp(-0.3 * np.arange(9)) * np.linspace(0.9, 1.1, 20)[:, None]
    holes = correlators.copy()
    holes[3, 4] = np.nan

    def mean(m):
        return m[0]

    def line(t, p):
        return p[0]

    for call, message in [
            (lambda: trellis.jackknife(mean, np.empty((0, 0)), 5), "series: found no number"),
            (lambda: trellis.jackknife(mean, [numbers, numbers + np.inf], 5), "series: a number is not finite"),
            (lambda: trellis.jackknife(mean, [numbers], -3), "bins: found -3, expected from 2 to 20"),
            (lambda: trellis.jackknife(mean, [numbers], 21), "bins: found 21, expected from 2 to 20"),
            (lambda: trellis.fit_correlator(np.empty((0, 9)), 16), "correlators: found no number"),
            (lambda: trellis.fit_correlator(correlators[:2], 16), "correlators: found 2 configurations, expected at"),
            (lambda: trellis.fit_correlator(holes, 16), "correlators: a number is not finite"),
            (lambda: trellis.fit_correlator(correlators, -16), "extent: found -16, expected at least 2"),
            (lambda: trellis.fit_correlator(correlators, 8), "extent: found 8, expected .* the 9 times"),
            (lambda: trellis.fit_correlator(correlators, 16, first=-1), "first: found -1, expected from 0 to 8"),
            (lambda: trellis.fit_correlator(correlators, 16, first=9), "first: found 9, expected from 0 to 8"),
            (lambda: trellis.fit_correlator(correlators, 16, first=6, last=3), "last: found 3, expected more than first"),
            (lambda: trellis.fit_correlator(correlators, 16, last=-2), "last: found -2, expected more than first"),
            (lambda: trellis.fit_correlator(correlators, 16, bins=-1), "bins: found -1, expected at least"),
            (lambda: trellis.fit_correlator(correlators, 16, shrinkage=np.nan), "shrinkage: found nan"),
            (lambda: trellis.fit_correlator(correlators, 16, model="line"), "unknown model 'line'"),
            (lambda: trellis.fit(line, [], [], np.empty(0), [0.0]), "fit: found 0 x and 0 y"),
            (lambda: trellis.fit(line, [1.0, 2.0], [1.0], [1.0], [0.0]), "fit: found 2 x and 1 y"),
            (lambda: trellis.fit(line, [1.0], [np.nan], [1.0], [0.0]), "y: a number is not finite"),
            (lambda: trellis.fit(line, [1.0], [1.0], [np.inf], [0.0]), "covariance: a number is not finite"),
            (lambda: trellis.fit(line, [1.0], [1.0], [1.0], []), "start: found 0 parameters"),
            (lambda: trellis.fit(line, [1.0, 2.0], [1.0, 1.0], [1.0, -1.0], [0.0]), "covariance: found the error -1"),
            (lambda: trellis.fit(line, [1.0, 2.0], [1.0, 1.0], [0.0, 1.0], [0.0]), "covariance: found the error 0"),
            (lambda: trellis.fit(line, [1.0, 2.0], [1.0, 1.0], [[1.0, 0.9], [0.0, 1.0]], [0.0]),
             "covariance: is not symmetric: found 0 in row 1, column 0, and 0.9 in row 0, column 1"),
            (lambda: trellis.fit(lambda t, p: p[0] / t - np.inf, [1.0], [1.0], [1.0], [2.0]),
             "start: the model is -inf there at x = 1"),
            (lambda: trellis.folded([1.0, np.nan, 1.0, 1.0]), "correlator: a number is not finite"),
            (lambda: trellis.autocorrelation(numbers, -1), "last: found -1"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()


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
    with pytest.raises(ValueError, match="100000 bins of "):
        trellis.fit_correlator(folded, extent, bins=100000)


def test_results_go_to_other_processes():
    mean = trellis.gamma_method(series(n=200)["a"])
    x = np.arange(1.0, 6.0)
    line = trellis.fit(lambda x, p: p[0] + p[1] * x, x, 2 * x + 0.1 * np.sin(x), np.full(5, 0.1), [0.0, 1.0])
    rng = np.random.default_rng(1)
    t = np.arange(9)
    correlators = (np.exp(-0.5 * t) + np.exp(-0.5 * (16 - t))) * (1 + 0.01 * rng.normal(size=(40, 9)))
    mass = trellis.fit_correlator(correlators, 16)
    for made in (mean, line, mass):
        names = [name for name in dir(made) if not name.startswith("_") and name != "ranges"]
        for again in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
            assert type(again) is type(made)
            for name in names:
                assert np.array_equal(getattr(again, name), getattr(made, name), equal_nan=True), name
    ranges = pickle.loads(pickle.dumps(mass)).ranges
    assert [(r.first, r.last, r.mass, r.weight) for r in ranges] == [(r.first, r.last, r.mass, r.weight) for r in mass.ranges]
