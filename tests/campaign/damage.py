# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Events that damage what a job left after part of its work; then the job is told to do the rest."""
import os

from jobs import described, has_results, is_table
from scene import OTHER, RIGHT, SILENT, WRONG, Judged


def _read(path):
    with open(path, "rb") as file:
        return file.read()


def _flip(data, random):
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << random.randrange(8))]) + data[at + 1:], f"a bit of byte {at} flipped"


def _cut(data, random):
    size = random.randrange(len(data))
    return data[:size], f"cut after {size} of {len(data)} bytes"


def _zero(data, random):
    size = min(len(data), random.choice([1, 16, 512, 4096]))
    at = random.randrange(len(data) - size + 1)
    return data[:at] + bytes(size) + data[at + size:], f"{size} bytes from {at} on zeroed"


def _swap(data, random):
    lines = data.splitlines(keepends=True)
    if len(lines) < 3:
        return data, ""
    a, b = random.sample(range(1, len(lines)), 2)
    lines[a], lines[b] = lines[b], lines[a]
    return b"".join(lines), f"lines {a + 1} and {b + 1} swapped"


def _last(data, _):
    lines = data.splitlines(keepends=True)
    return b"".join(lines[:-1]), "the last row removed"


def _ways(scene, name):
    older = os.path.join(scene.kit.states[scene.job.name, 0], name)
    ways = {"flip": _flip, "cut": _cut, "zero": _zero, "delete": lambda data, random: (None, "deleted")}
    if os.path.exists(older):
        ways["older"] = lambda data, random: (_read(older), "replaced by its older version")
    if is_table(name):
        ways.update(swap=_swap, last=_last)
    return ways


def _damage(scene, name):
    """Damages a file of the results in a random way."""
    path = os.path.join(scene.results, name)
    data = _read(path)
    ways = _ways(scene, name)
    for _ in range(100):
        way = scene.random.choice(sorted(ways))
        changed, what = ways[way](data, scene.random) if data else (None, "deleted")
        if changed != data:
            break
    if changed is None:
        os.remove(path)
    else:
        with open(path, "wb") as file:
            file.write(changed)
    scene.way = way
    scene.tell(f"{name}: {what}")


def damage(scene):
    scene.prepare(state=1)
    # The table of trajectories and the checkpoint, on which everything else depends, are hit more often.
    names = sorted(os.listdir(scene.results))
    weights = [1 if not has_results(name) else 3 if name in ("c.csv", "c.checkpoint") else 2 for name in names]
    name = scene.random.choices(names, weights)[0]
    _damage(scene, name)
    go_on(scene, name)


def go_on(scene, name):
    """Tells the job to do the rest and judges how it handles the damaged file."""
    before = _read(os.path.join(scene.results, name)) if os.path.exists(os.path.join(scene.results, name)) else None
    ended = scene.run()
    scene.require_alive(ended)
    if ended.code == 0:
        _judge_results(scene, name, before)
        raise Judged(RIGHT)
    if not ended.explains():
        raise Judged(OTHER, f"exit code {ended.code} and no error message")
    if name not in ended.err:
        raise Judged(OTHER, f"the refusal does not name {name}: {ended}")
    scene.follow(ended)
    scene.finish(repaired=True)


def _judge_results(scene, name, before):
    wrong = scene.differences()
    if not wrong:
        scene.require_tidy()
        return
    if set(wrong) != {name}:
        raise Judged(WRONG, "exit code 0, but " + described(wrong))
    path = os.path.join(scene.results, name)
    if name.endswith(".ildg"):
        ended = scene.run_words([scene.kit.program, "inspect", os.path.join(scene.job.name, name)])
        scene.require_alive(ended)
        if ended.code != 0:
            raise Judged(RIGHT)
        raise Judged(SILENT, f"{described(wrong)}; inspect finds nothing")
    # Rows that the job appended after the damage do not make it a different file.
    now = _read(path) if os.path.exists(path) else None
    same = now is None if before is None else now is not None and now.startswith(before)
    raise Judged(SILENT if same or is_table(name) else WRONG, "exit code 0, nothing said, but " + described(wrong))
