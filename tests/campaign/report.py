# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""The outcome of all events: a table, and a line for each bad one with the command that repeats it."""
from collections import Counter, defaultdict

from scene import BAD, VERDICTS


class Report:
    def __init__(self, kinds):
        self.kinds = kinds
        self.counts = defaultdict(Counter)  # by kind and ranks
        self.events, self.bad, self.missed, self.refused = Counter(), [], Counter(), Counter()
        self.covered = {}  # for kinds that go through a list: how much of it

    def add(self, scene, verdict, what):
        key = scene.kind, scene.ranks
        self.counts[key][verdict] += 1
        self.events[scene.kind] += 1
        if scene.missed:
            self.missed[scene.kind] += 1
        if scene.refused:
            self.refused[scene.kind] += 1
        if hasattr(scene, "of"):
            seen, _ = self.covered.setdefault(key, (set(), scene.of))
            seen.add(scene.turn % scene.of)
        if verdict in BAD:
            self.bad.append((BAD.index(verdict), scene.kind, scene.number, verdict, what, scene.story))

    def text(self, seed, again):
        lines = ["kind".ljust(14) + "ranks  events  " + "  ".join(VERDICTS)]
        order = sorted(self.counts, key=lambda key: (self.kinds.index(key[0]), key[1]))
        rows = [(kind, str(ranks), self.counts[kind, ranks]) for kind, ranks in order]
        rows.append(("all", "", sum(self.counts.values(), Counter())))
        for kind, ranks, count in rows:
            cells = "  ".join(str(count[verdict] or "-").rjust(len(verdict)) for verdict in VERDICTS)
            lines.append(f"{kind:14}{ranks:>5}  {sum(count.values()):>6}  {cells}")
        for (kind, ranks), (seen, of) in sorted(self.covered.items()):
            lines.append(f"{kind}, {ranks} ranks: {len(seen)} of {of} combinations of call and fault.")
        for kind, count in sorted(self.missed.items()):
            lines.append(f"{kind}: {count} faults met no call.")
        for kind, count in sorted(self.refused.items()):
            lines.append(f"{kind}: {count} inputs were refused, or all their layouts.")
        for _, kind, number, verdict, what, story in sorted(self.bad, key=lambda each: each[:3]):
            lines.append(f"{verdict}: {again} --only {kind} --seed {seed} --event {number}: {_short(story)}: {what}")
        return "\n".join(lines)

    def good(self):
        return not self.bad and sum(self.events.values()) > 0


def _short(story):
    """What was done, without the commands."""
    return "; ".join(line for line in story if ": code " not in line and ": hangs" not in line)
