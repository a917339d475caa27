# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Each judgement can fail: events with misbehaving programs, and the verdict that they must get."""
import copy
import os
import shutil

import damage
from jobs import JOBS, comparable, differences, has_results, is_earlier, is_table
from scene import DEAD_END, HANG, OTHER, RECOVERED, RIGHT, SIGNAL, SILENT, WRONG, Judged

# Scripts that replace the program: $1 is the command, $2 the input or, for repair, the folder.
_REAL = '"$REAL" "$@"'
_ONLY_ONCE = 'if [ "$1" = repair ]; then touch "$2.repaired"; exit 0; fi\n' \
             'if [ -f "${2%.toml}.repaired" ]; then cp -r "$REFERENCES/${2%.toml}" .; exit 0; fi\n'
_REFUSES = 'echo "trellis: error: c.csv c.checkpoint: damaged; trellis repair ${2%.toml} helps" >&2; exit 1'
_PROGRAMS = (
    # kind, verdict, what the program does
    ("kill", RIGHT, _REAL),
    ("kill", HANG, "exec sleep 1000"),
    ("kill", SIGNAL, "kill -SEGV $$"),
    ("errno", SIGNAL, "kill -ABRT $$"),
    ("kill", DEAD_END, 'echo "trellis: error: all is lost" >&2; exit 1'),
    ("kill", DEAD_END, 'if [ "$1" = repair ]; then exit 1; fi\n' + _REFUSES),
    ("kill", DEAD_END, 'if [ "$1" = repair ]; then exit 0; fi\n' + _REFUSES),
    ("kill", OTHER, _ONLY_ONCE + _REFUSES),
    ("errno", OTHER, "exit 1"),
    ("errno", OTHER, 'echo "trellis: error: something" >&2; exit 77'),
    ("errno", WRONG, "exit 0"),
    ("kill", OTHER, _REAL + ' && touch "${2%.toml}/c.csv.part"'),
    ("two", OTHER, "exit 1"),
    ("signals", OTHER, "exit 5"),
    ("layouts", RIGHT, _REAL),
    ("layouts", WRONG, _REAL + ' && case "$PWD" in */one) ;; *) printf "\\n" >>"${2%.toml}/c.csv" ;; esac'),
    ("layouts", SIGNAL, 'case "$PWD" in */one) ' + _REAL + ' ;; *) kill -SEGV $$ ;; esac'),
)
_EVERY_KIND_SEES = _REAL + ' && printf "\\n" >>"${2%.toml}/c.csv"'


def _verdict(kit, happen, kind, script, number):
    """The verdict of an event with this program."""
    folder = os.path.join(kit.folder, f"self-test-{number}")
    program = os.path.join(kit.folder, f"program-{number}")
    with open(program, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + script + "\n")
    os.chmod(program, 0o755)
    other = copy.copy(kit)
    other.program, other.limit = program, 5
    other.environment = dict(kit.environment, REAL=kit.program, REFERENCES=os.path.join(kit.folder, "references"))
    _, verdict, what = happen(other, kind, 1, number, folder)
    return verdict, what


def _damaged(kit, happen, kinds, script, file, number, expected):
    """A damaged file, and a program that handles it as the script says."""

    def event(scene):
        scene.job = JOBS[0]
        scene.ranks = 1
        scene.prepare(state=1)
        damage._damage(scene, file)
        damage.go_on(scene, file)

    kinds["damage of one"] = event
    verdict, what = _verdict(kit, happen, "damage of one", script, number)
    return (f"damage of {file}", script, expected, verdict, what)


def _files_that_differ(kit):
    """Each bit counts in each file, and so does each file."""
    for job in JOBS:
        reference = kit.references[job.name]
        folder = os.path.join(kit.folder, "changed-" + job.name)
        shutil.copytree(reference, folder)
        if differences(reference, folder):
            yield f"{job.name}: a copy differs"
        for name in os.listdir(reference):
            if not has_results(name) or is_earlier(name):
                continue
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                data = file.read()
            # In a table, the first number after the header that is not a time.
            at = data.index(b"\n") + 1 if is_table(name) else len(data) // 2
            with open(path, "wb") as file:
                file.write(data[:at] + bytes([data[at] ^ 1]) + data[at + 1:])
            if set(differences(reference, folder)) != {name}:
                yield f"{job.name}: a wrong bit in {name} is not seen"
            os.remove(path)
            if set(differences(reference, folder)) != {name}:
                yield f"{job.name}: that {name} is missing is not seen"
            with open(path, "wb") as file:
                file.write(data)
    table = os.path.join(kit.folder, "table.csv")
    texts = []
    for text in ("a,seconds_l,seconds,check\n1,2,3,4\n", "a,seconds_l,seconds,check\n1,5,6,7\n", "a\n1\n", "a\n2\n"):
        with open(table, "w", encoding="ascii") as file:
            file.write(text)
        texts.append(comparable(table))
    if not texts[0] == texts[1] == texts[2] != texts[3]:
        yield "times or checks of a table are compared"


def _wrong_write(kit, happen, kinds):
    """The fault library changes a bit of a row; the real program cannot know, or reports it."""

    def event(scene):
        scene.job, scene.ranks = JOBS[0], 1
        scene.prepare()
        row = [number for number, call, path in kit.calls_of(scene.job, 1)[0] if call == "write" and path.endswith("c.csv")]
        ended = scene.run(faults=scene.faults(0, row[len(row) // 2], "lie", ("write",)))
        if not scene.fault_made():
            raise Judged(OTHER, "no fault")
        if ended.code != 0:
            raise Judged(WRONG, "the program saw it")
        scene.require_right()

    kinds["wrong write"] = event
    _, verdict, what = happen(kit, "wrong write", 1, 0, os.path.join(kit.folder, "wrong-write"))
    return ("a write with a wrong bit", "the program", WRONG, verdict, what)


def run(kit, happen, kinds):
    kit.ranks = [1]
    os.makedirs(os.path.join(kit.folder, "references"))
    for name, folder in kit.references.items():
        shutil.copytree(folder, os.path.join(kit.folder, "references", name))
    cases = []
    for number, (kind, expected, script) in enumerate(_PROGRAMS):
        verdict, what = _verdict(kit, happen, kind, script, number)
        cases.append((kind, script, expected, verdict, what))
    for number, kind in enumerate(("kill", "kill-at-call", "errno", "signals", "full-disk", "two")):
        verdict, what = _verdict(kit, happen, kind, _EVERY_KIND_SEES, 100 + number)
        cases.append((kind, _EVERY_KIND_SEES, WRONG, verdict, what))
    right = 'cp -r "$REFERENCES/${2%.toml}" .'
    for number, (file, script, expected) in enumerate((
            ("c.csv", right, RIGHT),
            ("c-stout.csv", "mv g/c-stout.csv aside; " + right + "; rm g/c-stout.csv; mv aside g/c-stout.csv || true", SILENT),
            ("c.000004.ildg", "[ \"$1\" = run ] || exit 0; mv g/c.000004.ildg aside; " + right +
             "; rm g/c.000004.ildg; mv aside g/c.000004.ildg || true", SILENT),
            ("c.checkpoint", right + "; echo 1 >>g/c.csv", WRONG),
            ("c.csv", _ONLY_ONCE + _REFUSES, RECOVERED),
            ("c.flow.h5", _REFUSES, OTHER),
            ("c.log", right, RIGHT),
            ("c.log", _EVERY_KIND_SEES, WRONG))):
        cases.append(_damaged(kit, happen, kinds, script, file, 200 + number, expected))
    cases.append(_wrong_write(kit, happen, kinds))
    failures = list(_files_that_differ(kit))
    for kind, script, expected, verdict, what in cases:
        if verdict != expected:
            failures.append(f"{kind} with '{script}': {verdict} ({what}), expected {expected}")
    for failure in failures:
        print(failure)
    print(f"{len(cases)} verdicts, {len(failures)} of them or of the comparisons are not as they must be.")
    return 1 if failures else 0
