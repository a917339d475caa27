# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Measurements of quarks on one configuration: hadrons of Wilson and staggered quarks, and traces of the latter."""

import dataclasses

import numpy as np

from . import _core


@dataclasses.dataclass(frozen=True)
class HadronCorrelators:
    """correlators[channel] is a complex array [kappa][sink][source][momentum][t]; t counts from the source. Of quarks with
    names, correlators["l.s", channel] is [sink][source][momentum][t]."""
    correlators: dict
    three_point: dict    # through fixed sinks: by (name, current), complex arrays [source][momentum][t]
    kappas: list
    sinks: list
    sources: np.ndarray  # [source][4]: x, y, z, t
    momenta: np.ndarray  # [momentum][3]: n, momentum 2 pi n / L
    residual: float      # the largest true residual |b - M x| / |b|
    iterations: int
    seconds: float

    def __getitem__(self, channel):
        return self.correlators[channel]


def _toml(value):
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(_toml(v) for v in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(v)}" for key, v in value.items()) + "}"
    raise TypeError(f"expected a number, a string or a list of them, found {value!r}")


def hadron_correlators(links, kappas=None, *, seed=0, trajectory=0, **keys):
    """Correlators on one configuration, which is not changed.

    kappas and keys are those of [measure.hadrons] in docs/manual.md, with their defaults: channels, source,
    source_positions, sources_in_time, sinks, momenta, clover, stout_rho, stout_levels, solver, precision, residual, ...
    quarks=[{"name": "l", "kappa": 0.12}, {"name": "s", "mass": 0.1}] instead of kappas: mesons and baryons of these.
    fixed_sinks=[{...}] are those of [[measure.hadrons.fixed_sinks]]. seed and trajectory are those of noise sources: a run has
    [chain] seed and the number of the trajectory, `trellis measure` 0 and the row of its table.
    With a boundary in time, sources must be on slices with quarks.
    C(t) = sum_x exp(-i p (x - x0)) <O(x) O^dagger>, positive in every channel.
    """
    if kappas is not None:
        keys["kappas"] = [kappas] if np.ndim(kappas) == 0 else list(kappas)
    text = "".join(f"{key} = {_toml(value)}\n" for key, value in keys.items())
    found = _core.hadrons_from_keys(links, text, seed, trajectory)
    for name in ("sources", "momenta"):
        found[name] = np.asarray(found[name], dtype=np.int64)
    return HadronCorrelators(**found)


@dataclasses.dataclass(frozen=True)
class StaggeredHadronCorrelators:
    """correlators["l", "pion"] is a complex array [source][momentum][t]; t counts from the source."""
    correlators: dict
    sources: np.ndarray   # [source][4]: x, y, z, t
    momenta: np.ndarray   # [momentum][3]: n, momentum 2 pi n / L
    residual: float       # the largest true residual |b - M x| / |b|
    ward_identity: float  # its largest relative violation
    iterations: int
    seconds: float

    def __getitem__(self, hadron):
        return self.correlators[hadron]


def _table(name, keys):
    return f"{name}\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in keys.items())


def _measure_input(links, measurement, keys, flavours, smearing, background, time):
    """The input of `trellis measure` for these links."""
    configurations = {"files": ["links"]}
    if links.boundary.kind != "periodic":
        configurations["boundary"] = links.boundary.kind
    if links.boundary.time_extent is not None:
        configurations["time_extent"] = links.boundary.time_extent
    tables = [_table("[configurations]", configurations)]
    tables += [_table("[[flavours]]", flavour) for flavour in ([flavours] if isinstance(flavours, dict) else flavours)]
    for name, table in [("smearing", smearing), ("background", background)]:
        if table:
            tables.append(_table(f"[{name}]", table))
    tables.append(_table("[boundary]", {"time": time}))
    tables.append(_table(f"[measure.{measurement}]", keys))
    return "".join(tables)


def quark_observables(links, flavours, *, smearing=None, background=None, time="antiperiodic", seed=0, trajectory=0, **keys):
    """Traces of staggered quarks by noise: a dictionary with the columns that [measure.quarks] has in the program's table.

    flavours={"name": "l", "mass": 0.1, "tastes": 2}, or a list of these: the keys of [[flavours]] in docs/manual.md; smearing and
    background: those of [smearing] and [background]; time: [boundary] time; keys: those of [measure.quarks]. seed and trajectory
    draw the noise: a run has [chain] seed and the number of the trajectory, `trellis measure` 0 and the row of its table.
    """
    text = _measure_input(links, "quarks", keys, flavours, smearing, background, time)
    return _core.quark_observables_from_input(links, text, seed, trajectory)


def staggered_hadron_correlators(links, flavours, *, smearing=None, background=None, time="antiperiodic", seed=0, trajectory=0,
                                 **keys):
    """Correlators of hadrons of staggered quarks on one configuration, which is not changed.

    keys: those of [measure.staggered_hadrons] in docs/manual.md, with their defaults: channels, source, source_positions, momenta, ...
    The other arguments are those of quark_observables().
    """
    text = _measure_input(links, "staggered_hadrons", keys, flavours, smearing, background, time)
    found = _core.staggered_hadrons_from_input(links, text, seed, trajectory)
    for name in ("sources", "momenta"):
        found[name] = np.asarray(found[name], dtype=np.int64)
    return StaggeredHadronCorrelators(**found)
