# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Readers of the files that `trellis run` and `trellis measure` write. Damaged files raise trellis.Error, missing ones
trellis.InputError."""

import dataclasses
import json
import pathlib
import re
import tomllib
import zlib

import numpy as np

from . import _core

# Integers and flags in <name>.csv-metadata.json.
_INTEGERS = re.compile(r"^(chain|seed|trajectory|tuning|row|size_[xyzt]|accepted|certified_(operations|fingerprints)|steps|t|momentum_([xyz]|squared)|"
                       r"noise_vector|eigenvalue_number|distance|loop_time|level|other_level|time_slice|calls|configurations|"
                       r"iterations|iterations_.*|(staggered_)?hadron_iterations|gauge_iterations|(accepted_replica|swapped|walker)_.*)$")

# "100", a direction, is three digits.
_TEXTS = {"file", "content", "flavour", "flavours", "direction", "quarks", "sink", "fixed_sink", "current", "channel", "kernel",
          "precision"}


def column_type(name):
    """int64 for numbers that count something, otherwise float64."""
    return np.int64 if _INTEGERS.match(name) else np.float64


def _file(name):
    file = pathlib.Path(name)
    if not file.is_file():
        raise _core.InputError(f"{file}: there is no such file")
    return file


# NaN: not measured. inf is what a run writes of a trajectory that went wrong.
def _number_of(cell):
    number = float(cell) if cell else np.nan
    if np.isinf(number) and not re.fullmatch(r"[+-]?inf", cell):
        raise ValueError("beyond double precision")
    return number


def _column(file, name, cells):
    if _INTEGERS.match(name) and all(re.fullmatch(r"-?\d+", cell) for cell in cells):
        try:
            return np.array([int(cell) for cell in cells], dtype=np.int64)
        except OverflowError:
            raise _core.Error(f"{file}: the column '{name}' has an integer beyond 64 bits") from None
    if name in _TEXTS:
        return np.array(cells, dtype=str)
    numbers = np.empty(len(cells), dtype=np.float64)
    for row, cell in enumerate(cells):
        try:
            numbers[row] = _number_of(cell)
        except ValueError:
            raise _core.Error(f"{file}:{row + 2}: the column '{name}' has '{cell[:40]}', expected a number") from None
    return numbers


def read_table(file):
    """A table (CSV) as a structured array with a field for each column; NaN where nothing was measured.

    The last column of the file, `check`, is the CRC-32 of the table up to the end of its row: it is verified, and left
    out. An incomplete last line, as a running or killed job leaves it, is ignored.
    """
    file = _file(file)
    lines = file.read_bytes().split(b"\n")[:-1]
    if not lines:
        raise _core.Error(f"{file}: is empty, or its header is incomplete")
    lines = [line.decode("utf-8", errors="replace") for line in lines]
    names = lines[0].split(",")
    checked = names[-1] == "check"
    if checked:
        names.pop()
    crc = zlib.crc32((",".join(names) + "\n").encode())
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split(",")
        if len(cells) != len(names) + checked:
            raise _core.Error(f"{file}:{number}: has {len(cells)} cells, expected {len(names) + checked}")
        if checked:
            row, _, check = line.rpartition(",")
            crc = zlib.crc32((row + "\n").encode(), crc)
            if str(crc) != check:
                raise _core.Error(f"{file}:{number}: is damaged, or rows before it are missing: its check is {check}, "
                                  f"expected {crc}")
            cells.pop()
        rows.append(cells)
    columns = [_column(file, name, [row[i] for row in rows]) for i, name in enumerate(names)]
    table = np.empty(len(rows), dtype=[(name, column.dtype) for name, column in zip(names, columns)])
    for name, column in zip(names, columns):
        table[name] = column
    return table


def read_input(file):
    """An input as nested dictionaries; of a resolved one, with every default explicit, the CRC-32 is verified."""
    text = _file(file).read_bytes()
    body, mark, check = text.rpartition(b"# CRC-32 of the lines above: ")
    if mark and check.strip() != b"%08x" % zlib.crc32(body):
        raise _core.Error(f"{file}: is damaged, or was edited")
    try:
        return tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _core.InputError(f"{file}: {error}") from None


@dataclasses.dataclass(frozen=True)
class Flow:
    """Gradient flow of many configurations. Times are t / a^2; arrays are [configuration][time]."""
    number: np.ndarray  # trajectories of a run, rows of `trellis measure`
    time: np.ndarray
    energy: np.ndarray  # a^4 E, clover
    energy_spatial: np.ndarray
    energy_temporal: np.ndarray
    energy_plaquette: np.ndarray
    plaquette: np.ndarray
    topological_charge: np.ndarray
    attributes: dict  # c1, step, tolerance of the flow; program, input, lattice, ... of the file

    @property
    def t2_energy(self):
        """t^2 E, whose mean reaches 0.3 at t0."""
        return self.time**2 * self.energy


def _number(arrays, group, file):
    for name in ("trajectory", "row"):
        if f"{group}/{name}" in arrays:
            return arrays[f"{group}/{name}"]
    raise _core.Error(f"{file}: the group '{group}' has neither 'trajectory' nor 'row'")


def _read_hdf5(file, group):
    names = [(group, name) for name in ("c1", "step", "tolerance")]
    names += [("/", name) for name in ("program", "commit", "command", "lattice", "seed", "flavours", "input", "table")]
    arrays, attributes = _core.read_hdf5(_file(file), names)
    return arrays, {name.partition(".")[2]: value for name, value in attributes.items()}


def read_flow(file):
    """The curves of a file <name>.flow.h5."""
    arrays, attributes = _read_hdf5(file, "flow")
    fields = {field.name for field in dataclasses.fields(Flow)} - {"number", "attributes"}
    missing = sorted(name for name in fields if f"flow/{name}" not in arrays)
    if missing:
        raise _core.Error(f"{file}: has no array flow/{missing[0]}")
    return Flow(number=_number(arrays, "flow", file), attributes=attributes,
                **{name: arrays[f"flow/{name}"] for name in fields})


@dataclasses.dataclass(frozen=True)
class StoredHadrons:
    """Complex arrays [configuration][source][momentum][t] by their names: (kappa, sink, channel) of Wilson quarks
    or, if they have names, ("l.s", sink, channel); (flavours, channel) of staggered quarks."""
    number: np.ndarray
    sources: np.ndarray
    momenta: np.ndarray
    correlators: dict
    attributes: dict  # program, input, lattice, ... of the file


def read_hadrons(file):
    """The correlators of a file <name>.hadrons.h5 or <name>.staggered-hadrons.h5; kappas are numbers."""
    arrays, attributes = _read_hdf5(file, "/")
    groups = {name.partition("/")[0] for name in arrays} & {"hadrons", "staggered_hadrons"}
    if len(groups) != 1:
        raise _core.Error(f"{file}: has no group 'hadrons' or 'staggered_hadrons'")
    group = groups.pop()
    correlators = {}
    for name, values in arrays.items():
        parts = name.split("/")[1:]
        if len(parts) > 1:
            if parts[0].startswith("kappa_"):
                parts[0] = float(parts[0].removeprefix("kappa_"))
            correlators[tuple(parts)] = values[..., 0] + 1j * values[..., 1]
    for name in ("sources", "momenta"):
        if f"{group}/{name}" not in arrays:
            raise _core.Error(f"{file}: has no array {group}/{name}")
    return StoredHadrons(number=_number(arrays, group, file), sources=arrays[f"{group}/sources"],
                         momenta=arrays[f"{group}/momenta"], correlators=correlators, attributes=attributes)


@dataclasses.dataclass(frozen=True)
class Results:
    """The files of a folder: the table; its side tables by name ("quarks", "hadrons", "cooling", ...); flow and hadrons of
    Wilson and of staggered quarks, or None; the resolved input, or None; what the columns mean."""
    table: np.ndarray
    tables: dict
    flow: Flow | None
    hadrons: StoredHadrons | None
    staggered_hadrons: StoredHadrons | None
    input: dict | None
    columns: dict  # {name: (what it is, its units)}


def _of_metadata(file, take):
    """take(tables) of a file <name>.csv-metadata.json, which describes all tables of a folder."""
    try:
        return take(json.loads(file.read_text())["tables"])
    except (ValueError, KeyError, TypeError) as error:
        raise _core.Error(f"{file}: is damaged, or was edited: {error}") from None


def _read_columns(file):
    return _of_metadata(file, lambda tables: {
        column["name"]: (column["dc:description"], column.get("schema:unitText", ""))
        for table in reversed(tables) for column in table["tableSchema"]["columns"] if column["name"] != "check"})


def _read_urls(file):
    return _of_metadata(file, lambda tables: {table["url"] for table in tables})


def read_results(folder, name=None):
    """Everything that a run or `trellis measure` wrote into a folder. name: output.name, if the folder has several."""
    folder = pathlib.Path(folder)
    names = sorted(file.name.removesuffix(".resolved.toml") for file in folder.glob("*.resolved.toml"))
    if name is None:
        if len(names) != 1:
            found = "has no results" if not names else "has results of " + ", ".join(names) + ": say name="
            raise _core.InputError(f"{folder}: {found}")
        name = names[0]
    if not (folder / f"{name}.csv").exists():
        raise _core.InputError(f"{folder / name}.csv: does not exist")

    def optional(ending, read):
        file = folder / f"{name}.{ending}"
        return read(file) if file.exists() else None
    ours = optional("csv-metadata.json", _read_urls)
    tables = {}
    for file in sorted(folder.glob(f"{name}-*.csv")):
        if file.stem in names:  # "a-b.csv" may be the table of another run
            continue
        try:
            tables[file.stem.removeprefix(name + "-")] = read_table(file)
        except _core.Error:
            if ours is None or file.name in ours:
                raise  # others may be the user's, of any form
    return Results(table=read_table(folder / f"{name}.csv"), tables=tables, flow=optional("flow.h5", read_flow),
                   hadrons=optional("hadrons.h5", read_hadrons),
                   staggered_hadrons=optional("staggered-hadrons.h5", read_hadrons), input=optional("resolved.toml", read_input),
                   columns=optional("csv-metadata.json", _read_columns) or {})
