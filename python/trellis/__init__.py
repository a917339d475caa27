# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Lattice QCD: gauge ensembles, measurements and their analysis on numpy arrays.

    import trellis
    chain = trellis.Chain('''
    [lattice]
    size = [8, 8, 8, 8]
    [action]
    beta = 5.8
    [chain]
    trajectories = 100
    ''')
    rows = trellis.run(chain, 20)
    print(rows["plaquette"], chain.links.flow(time_max=2)["t0"])

docs/python.md is the manual. Directions 0, 1, 2, 3 are x, y, z, t; arrays of sites are [t][z][y][x]; all numbers are in
lattice units. Results are those of the program `trellis`, bit for bit.
"""

from . import _processor as _processor

_core = _processor.load()

from ._core import (Boundary, Chain, CorrelatorFit, Error, Fit, GaugeField, InputError, Lattice, MeanEstimate,  # noqa: E402
                    RangeFit, SolverReport, StaggeredOperator, WilsonOperator, __version__, cosh_mass, fit,
                    fit_correlator, folded, jackknife, log_mass, set_threads, threads, version_line, with_error)
from .adapters import to_gvar, to_pandas, to_pyerrors  # noqa: E402
from .analysis import Autocorrelation, autocorrelation, gamma_method  # noqa: E402
from .chains import run  # noqa: E402
from .hadrons import (HadronCorrelators, StaggeredHadronCorrelators, hadron_correlators, quark_observables,  # noqa: E402
                      staggered_hadron_correlators)
from .results import Flow, Results, StoredHadrons, read_flow, read_hadrons, read_input, read_results, read_table  # noqa: E402

__all__ = [
    "Autocorrelation", "Boundary", "Chain", "CorrelatorFit", "Error", "Fit", "Flow", "GaugeField", "HadronCorrelators",
    "InputError", "Lattice", "MeanEstimate", "RangeFit", "Results", "SolverReport", "StaggeredHadronCorrelators",
    "StaggeredOperator", "StoredHadrons", "WilsonOperator", "__version__", "autocorrelation", "cosh_mass", "fit",
    "fit_correlator", "folded", "gamma_method", "hadron_correlators", "jackknife", "log_mass", "quark_observables",
    "read_flow", "read_hadrons", "read_input", "read_results", "read_table", "run", "set_threads",
    "staggered_hadron_correlators", "threads", "to_gvar", "to_pandas", "to_pyerrors", "version_line", "with_error",
]
