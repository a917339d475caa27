# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Events that stop a job from outside: kills, signals, full disks, closed streams, a second process."""
import os
import signal
import time

from jobs import described
from scene import OTHER, Judged


def _after_a_while(scene, longest=1.1):
    time.sleep(scene.random.uniform(0, longest) * scene.length())


def kill(scene):
    """SIGKILL at random moments, to the program, one of its ranks or their launcher."""
    scene.prepare()
    for _ in range(scene.random.randint(1, 4)):
        running = scene.start()
        _after_a_while(scene)
        ranks = running.ranks(scene.kit.program) if scene.ranks > 1 else []
        victim = scene.random.choice(["launcher", "rank"])
        if ranks and victim == "rank":
            os.kill(scene.random.choice(ranks)[0], signal.SIGKILL)
        else:
            running.signal(signal.SIGKILL)
        ended = scene.wait(running)
        if scene.require_alive(ended, ours=(signal.SIGKILL,)) == 0 and ended.code == 0:
            scene.require_right()
            break
    scene.finish()


def signals(scene):
    """Stop signals, sometimes followed by a kill; and a reader of the output that goes away."""
    scene.prepare()
    if scene.ranks == 1 and scene.random.random() < 0.15:
        return _reader_goes_away(scene)
    for _ in range(scene.random.randint(1, 3)):
        number = scene.random.choice([signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2,
                                      signal.SIGXCPU])
        running = scene.start()
        _after_a_while(scene)
        ranks = running.ranks(scene.kit.program) if scene.ranks > 1 else []
        if ranks:
            os.kill(scene.random.choice(ranks)[0], number)
        else:
            running.signal(number)
        ours = [number]
        if scene.random.random() < 0.4:
            time.sleep(scene.random.uniform(0, 0.2) * scene.length())
            running.signal(signal.SIGKILL)
            ours.append(signal.SIGKILL)
        ended = scene.wait(running)
        if scene.require_alive(ended, ours):
            continue
        if ended.code == 0:
            scene.require_right()
            break
        if scene.ranks == 1 and ended.code != 128 + number:
            raise Judged(OTHER, f"signal {number}, but exit code {ended.code}")
    return scene.finish()


def _reader_goes_away(scene):
    reader, writer = os.pipe()
    running = scene.start(stdout=writer)
    os.close(writer)
    time.sleep(scene.random.uniform(0, 0.8) * scene.length())
    os.close(reader)
    ended = scene.wait(running)
    wrong = scene.differences()
    if ended.signal() == signal.SIGPIPE:
        raise Judged(OTHER, "the reader of its output went away: SIGPIPE ends it, " +
                     ("its work not done" if wrong else "its work done"))
    # The work continues; the lost output may be an error at the end.
    scene.require_sense(ended)
    if wrong:
        raise Judged(OTHER, "the reader of its output went away, and the job did not go on: " + described(wrong))
    scene.finish()


def full_disk(scene):
    """A limit on file sizes, streams that cannot be written or are closed, sometimes combined with an error to report."""
    way = scene.random.choice(["limit", "limit", "full out", "full err", "full both", "closed", "error"])
    if way in ("limit", "closed"):
        scene.ranks = 1  # a launcher needs files and streams itself
    scene.prepare()
    scene.tell(way)
    streams, around, faults = {}, (), None
    with open("/dev/full", "wb") as full:
        if way in ("full out", "full both"):
            streams["stdout"] = full
        if way in ("full err", "full both", "error"):
            streams["stderr"] = full
        if way == "limit":  # in blocks of 512 bytes
            around = ("sh", "-c", 'ulimit -f "$0"; exec "$@"', str(int(scene.random.choice([2, 20, 400]) *
                                                                       scene.random.uniform(0.2, 1.2)) + 1))
        if way == "closed":
            closed = scene.random.choice(["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
            around = ("sh", "-c", f'exec "$0" "$@" {closed}')
        if way == "error":
            calls = scene.kit.calls_of(scene.job, scene.ranks)[0]
            faults = scene.faults(0, scene.random.choice(calls)[0], 28, ("write", "fsync", "create"), always=True)
        ended = scene.run(around=around, faults=faults, **streams)
    if way == "error":
        scene.fault_made()
    scene.require_sense(ended, silent_streams=way in ("full err", "full both", "error", "closed"))
    scene.finish()


def two(scene):
    """A second process on the same folder, now and then after somebody removed the lock."""
    scene.prepare()
    first = scene.start()
    _after_a_while(scene, 0.9)
    removed = scene.random.random() < 0.4
    lock = os.path.join(scene.results, "c.lock")
    if removed:
        scene.tell("the lock file is removed")
        if os.path.exists(lock):
            os.remove(lock)
    second = scene.start()
    ends = [scene.wait(first), scene.wait(second)]
    if removed:
        for ended in ends:  # results are judged once both are gone
            scene.require_alive(ended)
            if ended.code != 0 and not ended.explains():
                raise Judged(OTHER, f"exit code {ended.code} and no error message")
    else:
        for ended in ends:
            scene.require_sense(ended)
        if all(ended.code != 0 for ended in ends):
            raise Judged(OTHER, "both are refused")
    scene.finish(damaged=removed)
