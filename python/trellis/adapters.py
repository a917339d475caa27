# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Results for other packages, where these are installed."""

import numpy as np

from . import _core
from .analysis import gamma_method


def _require_columns(table, names, who):
    known = list(table) if isinstance(table, dict) else list(table.dtype.names)
    for name in names or []:
        if name not in known:
            raise _core.InputError(f"{who}: there is no column '{name}'; there are {', '.join(known)}")


def _columns(table, names):
    """{name: numbers} of a structured array, or of a dictionary of arrays; by default all but the number of the row."""
    if isinstance(table, dict):
        return {name: np.asarray(table[name]) for name in (table if names is None else names)}
    if names is None:
        names = [name for name in table.dtype.names[1:] if table.dtype[name].kind in "if"]
    return {name: table[name] for name in names}


def to_pandas(table):
    """A table as a pandas.DataFrame, indexed by its first column (trajectory or row)."""
    import pandas
    names = table.dtype.names
    return pandas.DataFrame({name: table[name] for name in names[1:]},
                            index=pandas.Index(table[names[0]], name=names[0]))


def to_pyerrors(table, columns=None, ensemble="trellis", thermalisation=0):
    """{column: pyerrors.Obs} of a run's table, with the trajectory numbers as configuration numbers.

    Rows without a measurement (NaN) and the first `thermalisation` trajectories are left out.
    """
    import pyerrors
    _require_columns(table, columns, "to_pyerrors")
    if columns is None:
        columns = list(_columns(table, None))
    first = table.dtype.names[0]
    observables = {}
    for name in columns:
        kept = np.isfinite(table[name]) & (table[first] > thermalisation)
        if not np.any(kept):
            raise _core.InputError(f"to_pyerrors: the column '{name}' has no measurement")
        observables[name] = pyerrors.Obs([np.asarray(table[name][kept], dtype=float)], [ensemble],
                                         idl=[[int(number) for number in table[first][kept]]])
    return observables


def to_gvar(table, columns=None, s=1.5):
    """{column: gvar.GVar} with means and errors by the Gamma method and the correlations of the samples.

    The covariance of two means is r_ij error_i error_j, r_ij the correlation coefficient of the samples: errors include
    autocorrelation, correlations are those at equal times. Rows in which one of the columns was not measured are left out.
    """
    import gvar
    _require_columns(table, columns, "to_gvar")
    data = _columns(table, columns)
    names = list(data)
    samples = np.array([np.asarray(data[name], dtype=float) for name in names])
    samples = samples[:, np.all(np.isfinite(samples), axis=0)]
    if samples.shape[1] < 2:
        raise _core.InputError("to_gvar: fewer than 2 rows have a number in every column")
    estimates = [gamma_method(series, s=s) for series in samples]
    deviations = samples - samples.mean(axis=1, keepdims=True)
    norms = np.sqrt(np.sum(deviations**2, axis=1))
    norms[norms == 0] = 1
    correlation = deviations @ deviations.T / np.outer(norms, norms)
    np.fill_diagonal(correlation, 1)
    errors = np.array([e.error for e in estimates])
    values = gvar.gvar([e.mean for e in estimates], correlation * np.outer(errors, errors))
    return dict(zip(names, values))
