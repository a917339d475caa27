# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Several trajectories of a chain."""

import numpy as np

from .results import column_type


def _table_of(rows):
    if not rows:
        return np.empty(0, dtype=[("trajectory", np.int64)])
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    types = [(name, np.float64 if None in cells else column_type(name)) for name, cells in columns.items()]
    table = np.empty(len(rows), dtype=types)
    for name, cells in columns.items():
        table[name] = [np.nan if cell is None else cell for cell in cells]
    return table


def run(chain, trajectories=None, callback=None):
    """Advances a chain and returns the rows of its table as a structured array.

    trajectories: how many; by default those that the input asks for in total and that are not done yet.
    callback(chain, row): called after each, with the row as a dictionary; may measure chain.links; a true result ends the
    loop. Ctrl-C raises KeyboardInterrupt; the chain is then as after its last complete trajectory. This and every other
    exception has the rows until then as its attribute `rows`.
    """
    if trajectories is None:
        trajectories = max(0, chain.trajectories - chain.trajectory)
    rows = []
    try:
        for _ in range(trajectories):
            rows.append(chain.step())
            if callback is not None and callback(chain, rows[-1]):
                break
    except BaseException as stopped:
        stopped.rows = _table_of(rows)
        raise
    return _table_of(rows)
