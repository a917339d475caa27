# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Means with errors: U. Wolff's Gamma method (hep-lat/0306017)."""

import dataclasses

import numpy as np

from . import _core


def _is_several(data):
    return isinstance(data, (list, tuple)) and len(data) > 0 and np.ndim(data[0]) > 0


def gamma_method(data, function=None, s=1.5):
    """The mean of a Monte Carlo series with its error and integrated autocorrelation time.

    data: a series; or a list of series, which are several chains of one ensemble. NaN is refused: take out what was not
    measured first.
    function: with it, data[a] are the series of several observables of one chain, and the result is
    function(array of their means), with the error of sum_a df/dx_a x_a.
    s: the ratio of tau_exp to tau_int that is assumed to find the window.
    """
    arrays = [np.asarray(series, dtype=float) for series in data] if _is_several(data) or function else None
    for array in arrays or [np.asarray(data, dtype=float)]:
        if not np.all(np.isfinite(array)):
            raise _core.InputError("gamma_method: a number of the series is not finite")
    if function is not None:
        return _core.gamma_method_of_function(function, np.asarray(arrays), s)
    if arrays is not None:
        return _core.gamma_method_of_chains(arrays, s)
    return _core.gamma_method_of_series(np.asarray(data, dtype=float), s)


@dataclasses.dataclass(frozen=True)
class Autocorrelation:
    """rho(t) = Gamma(t) / Gamma(0) and tau_int(W), for t and W from 0, with their errors."""
    rho: np.ndarray
    rho_error: np.ndarray
    tau_int: np.ndarray
    tau_int_error: np.ndarray


def autocorrelation(data, last, s=1.5):
    """Of a series, or of a list of chains, up to t = W = last; errors by M. Luescher (hep-lat/0409106, appendix E)."""
    chains = [np.asarray(series, dtype=float) for series in (data if _is_several(data) else [data])]
    window = gamma_method(chains, s=s).window
    return Autocorrelation(**_core.autocorrelation_of_chains(chains, last, window))
