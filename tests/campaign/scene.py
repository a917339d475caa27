# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""One event: its folder, what is done in it, and the judgement."""
import os
import random
import re
import shlex
import signal

from jobs import JOBS, described, differences, left_over
from processes import Running

RIGHT, RECOVERED, WRONG, SILENT, HANG, SIGNAL, DEAD_END, OTHER = VERDICTS = (
    "right", "refused and recovered", "wrong", "silent", "hangs", "signals", "dead ends", "other")
BAD = VERDICTS[2:]

# The calls that change a file or a folder, as named by the fault library.
CHANGING = ("write", "fsync", "rename", "unlink", "ftruncate", "fallocate", "create", "mkdir", "link")

# Most events are on one rank, as they take a third of the time.
_RANKS = (1, 1, 2, 1, 1, 4)


class Judged(Exception):
    """Ends an event with a verdict and what was seen."""

    def __init__(self, verdict, what=""):
        super().__init__(verdict, what)
        self.verdict, self.what = verdict, what


class Scene:
    def __init__(self, kit, kind, seed, number, folder):
        self.kit, self.kind, self.seed, self.number, self.folder = kit, kind, seed, number, folder
        self.random = random.Random(f"{seed}/{kind}/{number}")
        self.story = []  # what was done and its outcome, a line each
        self.commands = 0
        self.missed = False  # the fault hit no call
        self.refused = False  # the program refused the input, or all that it was to be compared with
        allowed = [n for n in _RANKS if n in kit.ranks] or list(kit.ranks)
        self.ranks = allowed[number % len(allowed)]
        # The number of earlier events of this kind on this number of ranks.
        self.turn = number // len(allowed) * allowed.count(self.ranks) + allowed[:number % len(allowed)].count(self.ranks)
        self.job = self.random.choice(JOBS)

    # Actions.

    def prepare(self, state=None):
        self.work = os.path.join(self.folder, "work")
        self.kit.prepare(self.job, self.work, state=state)
        self.results = os.path.join(self.work, self.job.name)
        self.tell(f"{self.job.command} {self.job.name}, {self.ranks} ranks" + ("" if state is None else ", continuing"))

    def tell(self, what):
        self.story.append(what)

    def length(self):
        return self.kit.seconds.get((self.job.name, self.ranks), 0.8 * self.ranks)

    def start(self, faults=None, around=(), stdout=None, stderr=None):
        """Starts the job's command, after the words `around`."""
        return self.start_words(list(around) + self.kit.words(self.job, self.ranks, faults), stdout, stderr)

    def start_words(self, words, stdout=None, stderr=None):
        self.commands += 1
        path = os.path.join(self.folder, str(self.commands))
        return Running(words, self.work, self.kit.environment, path + ".out", path + ".err", stdout, stderr)

    def wait(self, running):
        ended = running.wait(self.kit.limit)
        self.tell(f"{shlex.join(ended.words)}: {ended}")
        return ended

    def run(self, **options):
        return self.wait(self.start(**options))

    def run_words(self, words):
        return self.wait(self.start_words(words))

    def faults(self, rank, at, kind, calls=(), always=False):
        """Settings of the fault library for one call of one rank."""
        settings = {"FAULT_FOLDER": os.path.realpath(self.work), "FAULT_AT": at, "FAULT_KIND": kind,
                    "FAULT_DONE": os.path.join(self.folder, "fault")}
        if self.ranks > 1:
            settings["FAULT_RANK"] = rank
        if calls:
            settings["FAULT_CALLS"] = "," + ",".join(calls) + ","
        if always:
            settings["FAULT_ALWAYS"] = 1
        return settings

    def fault_made(self):
        """Did the fault happen? Says which call it was."""
        path = os.path.join(self.folder, "fault")
        if not os.path.exists(path):
            self.missed = True
            return False
        with open(path, encoding="utf-8") as file:
            rank, number, call, name = file.readline().rstrip("\n").split(" ", 3)
        self.tell(f"the fault: rank {rank}, call {number}, {call} {os.path.relpath(name, os.path.realpath(self.work))}")
        os.remove(path)
        return True

    # Judgement.

    def differences(self):
        return differences(self.kit.references[self.job.name], self.results)

    def require_alive(self, ended, ours=()):
        """It ended, and not by a signal except those that we sent."""
        if ended.hung:
            raise Judged(HANG, f"still there after {self.kit.limit} s")
        if ended.survivors:
            raise Judged(HANG, "ranks outlive their launcher")
        number = ended.signal()
        # A launcher ends the remaining ranks with these two.
        launcher = (signal.SIGKILL, signal.SIGTERM) if self.ranks > 1 else ()
        if number and number not in ours and number not in launcher:
            raise Judged(SIGNAL, f"ended by signal {number}")
        return number

    def require_right(self):
        wrong = self.differences()
        if wrong:
            raise Judged(WRONG, "exit code 0, but " + described(wrong))

    def require_tidy(self):
        if left := left_over(self.results):
            raise Judged(OTHER, f"exit code 0, results are right, but {', '.join(left)} is left")

    def require_sense(self, ended, ours=(), codes=(1, 2), silent_streams=False):
        """Exit code 0 and right results, or an error that says so."""
        if self.require_alive(ended, ours):
            return
        if ended.code == 0:
            self.require_right()
            return
        if self.ranks == 1 and ended.code not in codes:
            raise Judged(OTHER, f"exit code {ended.code}")
        if not silent_streams and not ended.explains():
            raise Judged(OTHER, f"exit code {ended.code} and no error message")

    def finish(self, repaired=False, damaged=False):
        """Gives the command again, without faults, until all is right; where it refuses, follows the refusal. Only
        where files were damaged or removed may it refuse at all."""
        may_refuse = repaired or damaged
        for _ in range(4):
            ended = self.run()
            self.require_alive(ended)
            if ended.code == 0:
                self.require_right()
                self.require_tidy()  # without faults nothing prevents this
                if not repaired:
                    raise Judged(RIGHT)
                raise Judged(RECOVERED if may_refuse else OTHER, "refused, and continued after a repair")
            self.follow(ended)
            repaired = True
        raise Judged(DEAD_END, f"refuses after repairs: {ended}")

    def follow(self, ended):
        """Runs the command named in a refusal: trellis repair FOLDER."""
        if not ended.explains():
            raise Judged(OTHER, f"exit code {ended.code} and no error message")
        found = re.search(r"\brepair +([^\s'\"`,;:()]+)", ended.err)
        if not found:
            raise Judged(DEAD_END, f"refuses and names no repair: {ended}")
        words = [self.kit.program, "repair", found.group(1).rstrip(".")]
        if self.random.random() < 0.25:  # a repair may be killed too, at any call
            settings = self.faults(0, self.random.randint(1, 80), "kill", CHANGING)
            settings.pop("FAULT_RANK", None)
            killed = self.run_words(["env"] + [f"{key}={value}" for key, value in settings.items()] +
                                    [f"LD_PRELOAD={self.kit.fault_injection}"] + words)
            if os.path.exists(settings["FAULT_DONE"]):
                os.remove(settings["FAULT_DONE"])
            self.require_alive(killed, ours=(signal.SIGKILL,))
        repair = self.run_words(words)
        self.require_alive(repair)
        if repair.code != 0:
            raise Judged(DEAD_END, f"the repair fails: {repair}")
