# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Processes as a user sees them: started, signalled, waited for; and the ranks that a launcher started."""
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass


@dataclass
class Ended:
    words: list
    code: int  # minus the number of the signal that ended it, as in subprocess
    out: str
    err: str
    seconds: float
    hung: bool = False
    survivors: bool = False  # ranks that outlived their launcher

    def signal(self):
        """The signal that ended the program or, under a launcher, one of its ranks; 0 if none did."""
        if self.code < 0:
            return -self.code
        found = re.search(r"exited on signal (\d+)", self.out + self.err)
        return int(found.group(1)) if found else 0

    def explains(self):
        return "trellis: error: " in self.err

    def __str__(self):
        how = "hangs" if self.hung else f"code {self.code}"
        lines = [line for line in self.err.splitlines() if line.strip() and not line.startswith("---")]
        return f"{how}: {' | '.join(lines[:2])[:300]}" if lines else how


def _stat(pid):
    """Session and start time of a process, or None."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            cells = file.read().rpartition(")")[2].split()
        return None if cells[0] in "ZX" else (int(cells[3]), cells[19])
    except (OSError, IndexError, ValueError):
        return None


def members(session):
    """(pid, time of start) of the processes of a session, which is a command's launcher and ranks. A number alone may
    be another's by the time it is used."""
    found = []
    for name in os.listdir("/proc"):
        stat = _stat(name) if name.isdigit() else None
        if stat and stat[0] == session:
            found.append((int(name), stat[1]))
    return found


def send(one, number):
    try:
        stat = _stat(one[0])
        if stat and stat[1] == one[1]:
            os.kill(one[0], number)
    except ProcessLookupError:
        pass


def _text(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


class Running:
    """A running command. Its streams go to the files `out` and `err`, unless others are given."""

    def __init__(self, words, folder, environment, out, err, stdout=None, stderr=None):
        self.words, self.paths = words, (out, err)
        self.begin = time.monotonic()
        with open(out, "wb") as own_out, open(err, "wb") as own_err:
            self.process = subprocess.Popen(
                words, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                stdout=own_out if stdout is None else stdout, stderr=own_err if stderr is None else stderr,
                start_new_session=True)

    def alive(self):
        return self.process.poll() is None

    def ranks(self, program):
        """The processes of the program itself, not of the launcher."""
        name = os.path.basename(program)[:15]
        found = []
        for one in members(self.process.pid):
            try:
                if _text(f"/proc/{one[0]}/comm").strip() == name:
                    found.append(one)
            except OSError:
                pass
        return found

    def signal(self, number):
        if self.alive():
            self.process.send_signal(number)

    def wait(self, limit):
        """Waits for it and everything it started; kills what takes longer than `limit` seconds."""
        hung = survivors = False
        try:
            self.process.wait(limit)
        except subprocess.TimeoutExpired:
            hung = True
            for one in members(self.process.pid):
                send(one, signal.SIGKILL)
            self.process.wait()
        end = time.monotonic() + limit
        while left := members(self.process.pid):
            if time.monotonic() > end:
                survivors = True
                for one in left:
                    send(one, signal.SIGKILL)
            time.sleep(0.01)
        return Ended(self.words, self.process.returncode, _text(self.paths[0]), _text(self.paths[1]),
                     time.monotonic() - self.begin, hung, survivors)
