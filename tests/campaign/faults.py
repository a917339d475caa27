# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Events inside a call on a file: the process is killed at it, or the call fails. tests/support/fault_injection.c."""
import errno
import random
import signal

from jobs import JOBS
from scene import CHANGING, HANG, OTHER, Judged

# Plausible errors for a call.
_ERRORS = {
    "write": ("ENOSPC", "EIO", "EDQUOT", "EINTR"),
    "fsync": ("EIO", "ENOSPC", "EDQUOT", "EINTR"),
    "ftruncate": ("EIO", "EINTR", "EROFS"),
    "fallocate": ("ENOSPC", "EIO", "EINTR"),
    "rename": ("EACCES", "EIO", "ENOSPC", "EDQUOT", "EROFS"),
    "unlink": ("EACCES", "EIO", "EROFS"),
    "create": ("EACCES", "EMFILE", "EROFS", "ENOSPC", "EDQUOT", "EIO", "EINTR"),
    "mkdir": ("EACCES", "ENOSPC", "EDQUOT", "EROFS", "EIO"),
    "link": ("EACCES", "ENOSPC", "EDQUOT", "EROFS", "EIO"),
    "open": ("EACCES", "EMFILE", "EIO", "EINTR"),
    "read": ("EIO", "EINTR"),
}


def _shuffled(scene, name, make):
    """All combinations, in an order that depends on the seed; made once for each number of ranks."""
    key = (name, scene.ranks, scene.seed)
    kept = scene.kit.__dict__.setdefault("orders", {})
    if key not in kept:
        all_of_them = [each for job in JOBS for rank, calls in sorted(scene.kit.calls_of(job, scene.ranks).items())
                       for number, call, _ in calls for each in make(job, rank, number, call)]
        random.Random(f"{name}/{scene.ranks}/{scene.seed}").shuffle(all_of_them)
        kept[key] = all_of_them
    return kept[key]


def _next(scene, name, make):
    order = _shuffled(scene, name, make)
    scene.of = len(order)
    return order[scene.turn % len(order)]


def _deaths(job, rank, number, call):
    if call in CHANGING:
        yield job, rank, number, call, "kill"
    if call == "write":
        yield job, rank, number, call, "half"


def kill_at_call(scene):
    """Kills before each call that changes a file, in turn, and within each write; then perhaps again at others."""
    scene.job, rank, number, call, how = _next(scene, "kill", _deaths)
    scene.prepare()
    for again in range(scene.random.choice([1, 1, 1, 2, 3])):
        if again:
            last = scene.kit.calls_of(scene.job, scene.ranks)[rank][-1][0]
            number, call, how = scene.random.randint(1, last), None, "kill"
        calls = (call,) if call else CHANGING
        ended = scene.run(faults=scene.faults(rank, number, how, calls))
        made = scene.fault_made()
        scene.missed = scene.missed and again == 0
        if scene.require_alive(ended, ours=(signal.SIGKILL,) if made else ()) == 0 and ended.code == 0:
            scene.require_right()
            break
        if not made:
            raise Judged(OTHER, f"no fault was made: {ended}")
    scene.finish()


def _failures(job, rank, number, call):
    for name in _ERRORS.get(call, ()):
        yield job, rank, number, call, name


def fail(scene):
    """A call fails, once or from then on."""
    scene.job, rank, number, call, name = _next(scene, "errno", _failures)
    scene.prepare()
    always = name != "EINTR" and scene.random.random() < 0.3
    calls = [each for each, errors in _ERRORS.items() if name in errors] if always else [call]
    scene.tell(name + (" from there on" if always else ""))
    ended = scene.run(faults=scene.faults(rank, number, getattr(errno, name), calls, always))
    scene.fault_made()
    scene.require_sense(ended)
    if name == "EINTR" and ended.code != 0:
        raise Judged(OTHER, f"does not survive EINTR in {call}: {ended}")
    scene.finish()


def one_rank_fails(scene):
    """The second rank cannot open a file: all ranks must end with an error soon."""
    scene.ranks = scene.random.choice([n for n in scene.kit.ranks if n > 1])
    scene.prepare()
    opens = [each for each in scene.kit.calls_of(scene.job, scene.ranks).get(1, ()) if each[1] in ("open", "create")]
    if not opens:
        raise Judged(OTHER, "rank 1 opens no file")
    name, always = scene.random.choice(["EACCES", "EMFILE"]), scene.random.random() < 0.4
    scene.tell(name + " on rank 1" + (" from there on" if always else ""))
    ended = scene.run(faults=scene.faults(1, scene.random.choice(opens)[0], getattr(errno, name), ("open", "create"),
                                          always))
    scene.fault_made()
    scene.require_sense(ended)
    if ended.seconds > 2 * scene.kit.watchdog + 10:
        raise Judged(HANG, f"takes {ended.seconds:.0f} s, the watchdog {scene.kit.watchdog} s")
    scene.finish()
