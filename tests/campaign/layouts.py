# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Random inputs, each run on one thread of one process with one lane, and on random numbers of ranks, threads and lanes,
where it may be stopped and go on with others: all files must be the same, to the last bit."""
import os
import shutil

from jobs import Job, described, differences
from scene import OTHER, RIGHT, WRONG, Judged

_SIZES = ((4, 4, 4, 4), (4, 4, 4, 8), (4, 4, 8, 4), (8, 4, 4, 4), (4, 6, 4, 8), (6, 4, 4, 4), (4, 4, 4, 12), (4, 8, 4, 8))
_ONE_LANE = "[machine]\nthreads = 1\nlanes = 1\n"


def _toml(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(one) for one in value) + "]"
    return repr(value)


def _table(name, keys, array=False):
    head = f"[[{name}]]" if array else f"[{name}]"
    return "\n".join([head] + [f"{key} = {_toml(value)}" for key, value in keys.items()]) + "\n"


class _Draw:
    """Draws an input, table by table; what one table says limits the next."""

    def __init__(self, random):
        self.random = random
        self.size = random.choice(_SIZES)
        self.kind = random.choice(["periodic", "periodic", "open", "schroedinger_functional"])
        self.heatbath = random.random() < 0.3
        self.quarks = not self.heatbath and random.random() < 0.65
        self.fixed = self.kind == "schroedinger_functional"
        self.text = []

    def maybe(self, share=0.5):
        return self.random.random() < share

    def number(self, low, high):
        return round(self.random.uniform(low, high), 3)

    def add(self, name, keys, array=False):
        self.text.append(_table(name, keys, array))

    def input(self):
        self.lattice()
        self.action()
        if self.quarks:
            self.flavours()
        self.add("start", {"kind": self.random.choice(["hot", "cold", "cold"])})
        self.algorithm()
        self.tempering()
        self.add("chain", {"trajectories": 3, "thermalisation": self.random.choice([0, 1]), "seed": self.random.randint(0, 10**6),
                           "checkpoint_every": 1, "save_every": self.random.choice([1, 3])})
        self.measure()
        return "".join(self.text)

    def lattice(self):
        keys = {"size": self.size}
        if self.kind != "periodic":
            keys["boundary"] = self.kind
        if self.fixed:
            keys["time_extent"] = self.size[3] - self.random.choice([1, 2])
            keys["phi"] = [self.number(-2, 2), self.number(-1, 1)]
            keys["phi_prime"] = [self.number(-3, 3), self.number(-1, 1)]
        self.add("lattice", keys)

    def action(self):
        names = ["wilson", "symanzik", "iwasaki", "dbw2"]
        if not self.heatbath:
            names.append("one_loop_symanzik")
        self.name = self.random.choice(names)
        keys = {"name": self.name, "beta": self.number(1, 6)}
        if self.name == "one_loop_symanzik":
            keys.update(u0=self.number(0.8, 0.95), hisq_flavours=self.random.choice([0, 3]))
        if self.kind != "periodic":
            keys["c_G"] = self.number(0.8, 1.3)
        if self.fixed and self.name not in ("wilson", "one_loop_symanzik"):
            if self.heatbath or self.maybe():
                keys["boundary_rectangles"] = "weighted"
        self.add("action", keys)

    def flavours(self):
        self.improved = not self.fixed and self.maybe(0.35)
        count = self.random.choice([1, 1, 2])
        electric = self.maybe(0.3)
        masses = sorted(self.number(0.3, 1) for _ in range(count))
        self.names = ["l", "s"][:count]
        for name, mass in zip(self.names, masses):
            keys = {"name": name, "mass": mass, "tastes": self.random.choice([1, 2, 4])}
            if self.maybe(0.3):
                keys["split_masses"] = [mass + 0.4]
            if self.kind == "periodic" and self.maybe(0.2):
                keys["imaginary_mu"] = self.number(-1, 1)
            if self.maybe(0.2):
                keys["space_angles_over_pi"] = [self.number(-1, 1), 0.0, self.number(-1, 1)]
            if electric:
                keys["charge"] = self.random.choice([-1.0, 2.0])
            if self.maybe(0.15):
                keys["pseudofermions"] = 2
            if self.improved:
                keys["naik_epsilon"] = self.random.choice([0.0, -0.1])
            self.add("flavours", keys, array=True)
        self.smearing = self.random.choice(["hisq", "asqtad", "naik"]) if self.improved else "stout"
        if self.improved:
            self.add("smearing", {"kind": self.smearing})
        elif self.maybe(0.7):
            self.add("smearing", {"rho": self.number(0.05, 0.15), "levels": self.random.choice([0, 1, 2])})
        self.background = electric
        if electric:
            self.add("background", {self.random.choice(["bx", "by", "bz"]): float(self.random.randint(1, 3))})
        if self.kind == "periodic" and self.maybe(0.3):
            self.add("boundary", {"time": "periodic"})

    def algorithm(self):
        self.single = self.potential = self.certified = False
        if self.heatbath:
            self.add("algorithm", {"kind": "heatbath", "overrelaxation_steps": self.random.choice([0, 1, 2])})
            return
        keys = {"trajectory_length": self.number(0.1, 0.4), "steps": self.random.choice([1, 2]),
                "integrator": self.random.choice(["leapfrog", "2mn", "4mn5fv", "force_gradient"])}
        if self.maybe(0.2):
            keys["reversibility_every"] = 2
        self.single = not self.fixed and self.maybe(0.25)
        if self.single:
            keys["precision"] = "single"
        elif self.maybe(0.15):
            keys["certify"] = 0.3
            self.certified = True
        if self.quarks:
            keys["gauge_steps"] = self.random.choice([1, 2])
        self.potential = not self.single and not self.certified and self.maybe(0.15)
        if self.potential:
            self.add("topological_potential", {"form": "quadratic", "strength": self.number(-2, 2), "stout_levels": self.random.choice([0, 2])})
        self.add("algorithm", keys)
        if self.quarks:
            solver = {"heatbath_residual": 1e-8, "molecular_dynamics_residual": 1e-5, "metropolis_residual": 1e-8}
            if self.maybe(0.4):
                solver["molecular_dynamics_precision"] = self.random.choice(["mixed", "single", "16-bit"] if not self.single else ["single", "16-bit"])
            if self.maybe(0.3):
                solver["metropolis_precision"] = self.random.choice(["mixed", "single"])
            if solver.get("metropolis_precision") == "single":
                solver["metropolis_residual"] = 1e-5
            self.add("solver", solver)
            self.add("rational", {"heatbath_error": 1e-8, "molecular_dynamics_error": 1e-5, "metropolis_error": 1e-8,
                                  **({"largest_eigenvalue": 100.0} if self.improved else {})})

    def tempering(self):
        if self.kind != "periodic" or self.potential or self.single or self.certified or (self.quarks and self.background):
            return
        if not self.maybe(0.25):
            return
        keys = {"length": 2, "replicas": self.random.choice([2, 3]), "direction": self.random.choice("xyzt")}
        if self.name != "one_loop_symanzik" and self.maybe():
            keys.update(box_margins=[1], box_sweeps=[2], box_overrelaxation_steps=1)
        self.add("tempering", keys)

    def measure(self):
        keys = {"observables": [name for name in ("topological_charge", "energy", "parallelogram") if self.maybe()]}
        if self.fixed and self.name != "one_loop_symanzik" and self.maybe():
            keys["observables"].append("eta_derivative")
        if self.kind == "periodic":
            keys["observables"].append("polyakov")
        self.add("measure", keys)
        flow = {"time_max": 0.06, "step": 0.02, "time_interval": 0.02, "slices": self.maybe(),
                "action": self.random.choice(["wilson", "symanzik"])}
        if self.maybe(0.3):
            flow["tolerance"] = 1e-4
        tables = {"flow": flow, "cooling": {"steps": 2, "interval": 1}, "stout": {"steps": 2, "interval": 1, "rho": 0.1},
                  "ape": {"steps": 2, "interval": 2, "dimensions": self.random.choice([3, 4])}, "hyp": {"steps": 1, "interval": 1},
                  "wilson_loops": {"distance": 2, "time": 2, "ape_levels": [0, 2], "directions": ["100", "110"],
                                   "time_links": self.random.choice(["plain", "hyp"])},
                  "glueballs": {"ape_levels": [0, 1]}}
        for name, table in tables.items():
            if self.maybe(0.2):
                self.add("measure." + name, table)
        first = 1 if self.kind != "periodic" else 0
        position = [self.random.randrange(extent) for extent in self.size[:3]] + [self.random.randrange(first, 2)]
        if self.maybe(0.25):
            hadrons = {"kappas": [0.1], "residual": 1e-6, "source_positions": [position],
                       "channels": ["pion", "rho", "proton"], "solver": self.random.choice(["cg", "bicgstab", "gcr"]),
                       "precision": self.random.choice(["double", "mixed"])}
            if self.maybe():
                hadrons["clover"] = 1.2
            source = self.random.choice(["point", "gaussian", "z2_wall"])
            hadrons["source"] = source
            if source == "gaussian":
                hadrons.update(smearing_steps=2, smearing_levels=1, sinks=["point", "smeared"])
            if source == "z2_wall":
                hadrons.update(noise_vectors=1, channels=["pion", "rho"])
            self.add("measure.hadrons", hadrons)
        if self.quarks and self.maybe(0.4):
            self.add("measure.quarks", {"noise_vectors": 2, "residual": 1e-6,
                                        "observables": ["condensate"] if self.kind != "periodic" or self.maybe() else ["condensate", "quark_number", "susceptibilities"]})


def _machine(scene, size):
    """Ranks, threads, lanes and orders that a lattice may have."""
    random = scene.random
    ranks = random.choice(scene.kit.ranks)
    keys = {"threads": random.choice([1, 1, 2, 3])}
    grids = [(x, y, z, t) for x in (1, 2, 4) for y in (1, 2, 4) for z in (1, 2, 4) for t in (1, 2, 4)
             if x * y * z * t == ranks and all(extent % (2 * n) == 0 for extent, n in zip(size, (x, y, z, t)))]
    if grids and random.random() < 0.7:
        keys["ranks"] = list(random.choice(grids))
    for order in ("rank_order", "site_order"):
        if random.random() < 0.3:
            keys[order] = "".join(random.sample("xyzt", 4))
    if random.random() < 0.4:
        keys["lanes"] = random.choice([1, 2, 4])
    return ranks, _table("machine", keys)


def _write(scene, job, folder, physics, machine, trajectories):
    os.makedirs(folder, exist_ok=True)
    text = physics.replace("trajectories = 3", f"trajectories = {trajectories}") + machine
    with open(os.path.join(folder, job + ".toml"), "w", encoding="ascii") as file:
        file.write(text + '[output]\ndirectory = "x"\nname = "c"\n')


def layouts(scene):
    draw = _Draw(scene.random)
    physics = draw.input()
    scene.job = Job("x", "run", "", "", ())
    one = os.path.join(scene.folder, "one")
    _write(scene, "x", one, physics, _ONE_LANE, 3)
    scene.work, scene.ranks, scene.results = one, 1, os.path.join(one, "x")
    ended = scene.run()
    scene.require_alive(ended)
    if ended.code != 0:
        if not ended.explains():
            raise Judged(OTHER, f"exit code {ended.code} and no error message")
        scene.refused = True
        raise Judged(RIGHT, "refused: " + str(ended))
    compared = False
    for turn in range(2):
        other = os.path.join(scene.folder, f"other-{turn}")
        parts = scene.random.choice([(3,), (3,), (1, 3), (2, 3)])
        scene.work = other
        done = True
        for trajectories in parts:
            scene.ranks, machine = _machine(scene, draw.size)
            _write(scene, "x", other, physics, machine, trajectories)
            scene.tell(f"{trajectories} trajectories on {scene.ranks} ranks, {' '.join(machine.split()[1:])}")
            ended = scene.run()
            scene.require_alive(ended)
            if ended.code == 2 and ended.explains():  # blocks too small for three steps, lanes that there are not
                done = False
                break
            if ended.code != 0:
                raise Judged(OTHER, f"exit code {ended.code}, on one rank 0: {ended}")
        compared = compared or done
        if done:
            found = differences(os.path.join(one, "x"), os.path.join(other, "x"))
            if found:
                raise Judged(WRONG, described(found))
        shutil.rmtree(other)
    scene.refused = not compared
    raise Judged(RIGHT)
