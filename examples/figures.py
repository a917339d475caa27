#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""figures.py stream|heat|minimd|minife FILE.json... -o figure.svg

Draws the --json output of the programs in this folder: for each row a bar for Trellis and one for the hand-written
version, with the fraction of the second that the first reaches; where rows are numbers of ranks, the times as lines. Needs matplotlib (Debian: python3-matplotlib); no program
or test needs this script.

A file is what examples/result.hpp writes:

  {"program": "stream",                        must be the first argument
   "machine": "two cores of ..., g++ 12",      title of the panel; free text
   "setup": "2^25 doubles, 2 threads",         optional, under the title
   "rows": [{"name": "triad",                  label of the bars
             "trellis": 41.2,                  in "unit"; null: no bar
             "by_hand": 41.5,                  likewise
             "unit": "GB/s",                   rows with different units are in separate panels
             "fraction": 0.993,                by_hand time / trellis time; null: nothing above the bar
             "ranks": 2,                       optional, in all rows or none: then lines of the following are drawn
             "seconds": 1.2,                   of Trellis
             "hand_seconds": 1.3}]}            of the hand-written version; null: no line

Each file is a line of panels; use more rows for more than two bars ("force, LayoutLeft", "force, LayoutRight"). Files with
ranks share a panel, with a colour for each.
"""
import argparse
import json
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"font.size": 9, "svg.hashsalt": "trellis", "svg.fonttype": "none"})
from matplotlib import pyplot  # noqa: E402  (the backend is chosen first)

TITLES = {
    "stream": "stream: bandwidth of simple loops",
    "heat": "heat: explicit Euler on a square",
    "minimd": "minimd: Lennard-Jones molecular dynamics",
    "minife": "minife: finite elements and conjugate gradients",
}
COLOURS = {"trellis": "#0969da", "by_hand": "#6e7781"}  # those of trellis/plot: blue and grey
SCALING_COLOURS = ("#0969da", "#c4570c", "#1a7f37", "#8250df", "#6e7781")  # likewise, for machines
NAMES = {"trellis": "Trellis", "by_hand": "by hand"}


def read(program, path):
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    if result.get("program") != program:
        sys.exit(f"figures.py: error: {path} was written by '{result.get('program')}', not by '{program}'")
    for row in result["rows"]:
        missing = {"name", "trellis", "by_hand", "unit", "fraction"} - row.keys()
        if missing:
            sys.exit(f"figures.py: error: {path}: a row without {', '.join(sorted(missing))}: {row}")
    of_ranks = ["ranks" in row for row in result["rows"]]
    if any(of_ranks) and not all(of_ranks):
        sys.exit(f"figures.py: error: {path}: some rows have ranks and others have none")
    return result


def scales(result):
    return "ranks" in result["rows"][0]


def scaling(axes, results):
    """Times by ranks: Trellis solid, by hand dashed, a colour for each machine."""
    for result, colour in zip(results, SCALING_COLOURS):
        for key, kind, style in (("seconds", "trellis", "-o"), ("hand_seconds", "by_hand", "--s")):
            shown = [(row["ranks"], row[key]) for row in result["rows"] if row.get(key) is not None]
            if shown:
                label = ", ".join(filter(None, (result["machine"], NAMES[kind])))
                axes.plot(*zip(*shown), style, color=colour, label=label, markersize=4)
    ranks = sorted({row["ranks"] for result in results for row in result["rows"]})
    axes.set_xscale("log", base=2)
    axes.set_xticks(ranks, [str(number) for number in ranks])
    axes.minorticks_off()
    axes.set_xlabel("ranks")
    axes.set_ylabel("seconds")
    axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title("\n".join(dict.fromkeys(filter(None, (result.get("setup") for result in results)))), fontsize=8,
                   loc="left")
    axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))


def panel(axes, rows):
    """The rows of one unit."""
    width = 0.38
    for shift, kind in ((-width / 2, "trellis"), (width / 2, "by_hand")):
        shown = [(at, row[kind]) for at, row in enumerate(rows) if row[kind] is not None]
        axes.bar([at + shift for at, _ in shown], [value for _, value in shown], width, color=COLOURS[kind],
                 label=NAMES[kind])
    for at, row in enumerate(rows):
        if row["fraction"] is not None:
            top = max(value for value in (row["trellis"], row["by_hand"]) if value is not None)
            axes.annotate(f"{100 * row['fraction']:.0f} %", (at, top), xytext=(0, 2), textcoords="offset points",
                          ha="center")
    axes.set_xticks(range(len(rows)), [row["name"] for row in rows], rotation=20 if len(rows) > 6 else 0)
    axes.set_ylabel(rows[0]["unit"])
    axes.margins(y=0.12)
    axes.spines[["top", "right"]].set_visible(False)


def main():
    parser = argparse.ArgumentParser(description="Draws the results of an example.")
    parser.add_argument("program", choices=sorted(TITLES))
    parser.add_argument("files", nargs="+", metavar="FILE.json")
    parser.add_argument("-o", "--output", required=True, metavar="figure.svg")
    options = parser.parse_args()

    results = [read(options.program, path) for path in options.files]
    if any(map(scales, results)):
        if not all(map(scales, results)):
            sys.exit("figures.py: error: some files have rows of ranks and others have none: draw them separately")
        if len(results) > len(SCALING_COLOURS):
            sys.exit(f"figures.py: error: at most {len(SCALING_COLOURS)} files of ranks are drawn together")
        figure, axes = pyplot.subplots(layout="constrained", figsize=(7.2, 3.6))
        figure.suptitle(TITLES[options.program], fontsize=11)
        scaling(axes, results)
        figure.savefig(options.output, metadata={"Date": None, "Creator": None})
        return

    units = [list(dict.fromkeys(row["unit"] for row in result["rows"])) for result in results]
    columns = max(map(len, units))
    most = max(sum(row["unit"] == unit for row in result["rows"])
               for result, its in zip(results, units) for unit in its)
    figure, axes = pyplot.subplots(len(results), columns, squeeze=False, layout="constrained",
                                   figsize=(columns * max(6.0 / columns, 0.9 + 0.75 * most), 0.3 + 2.6 * len(results)))
    figure.suptitle(TITLES[options.program], fontsize=11)
    for result, its, line in zip(results, units, axes):
        for unit, place in zip(its, line):
            panel(place, [row for row in result["rows"] if row["unit"] == unit])
        for place in line[len(its):]:
            place.set_axis_off()
        line[0].set_title("\n".join(filter(None, (result["machine"], result.get("setup")))), fontsize=8, loc="left")
    axes[0][-1].legend(frameon=False, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncol=2, fontsize=8)
    figure.savefig(options.output, metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    main()
