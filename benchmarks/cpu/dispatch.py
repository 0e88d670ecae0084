"""`./dev bench dispatch`: what share of a step's instructions is outside of kernels, libraries and
collectives, by callgrind, for dp_mlp on one worker. Two runs that differ in their number of steps are
subtracted, which leaves whole steps. The program is compiled inside of valgrind too, for the CPU that
valgrind shows (it knows no AVX-512).
"""
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

KINDS = ("kernels", "libraries", "collectives", "copies", "dispatch")


def kind_of(name, path):
    """Of a function and the file that holds it."""
    if path == "???" or name.startswith("0x"):
        return "kernels"  # code made at run time
    library = os.path.basename(path)
    if re.match(r"lib(dnnl|openblas|gomp|m)\w*[.-]", library):
        return "libraries"
    if re.search(r"mem(cpy|move|set)", name):
        return "copies"
    if re.search(r"InProcess|reduceArrays|Reduction|Movement", name):
        return "collectives"
    if re.search(r"Gemm|OneDnn|Blas|dnnl_|gemm|PackedPlan|loadLine|storeLine|(load|store)As<|[wn]\w+F16|dtypeBytes", name):
        return "libraries"
    return "dispatch"


def self_costs(path):
    """Instructions by (function, object), callees not counted."""
    names, costs = {"fn": {}, "ob": {}}, collections.Counter()
    function = library = "???"
    skip = False
    for line in open(path):
        match = re.match(r"(c?)(fn|ob)=\((\d+)\)(?: (.*))?$", line)
        if match:
            called, what, number, name = match.groups()
            if name:
                names[what][number] = name.strip()
            if not called:
                if what == "fn":
                    function = names[what][number]
                else:
                    library = names[what][number]
        elif line.startswith("calls="):
            skip = True  # the next line is what the callee took
        elif re.match(r"[+\-*\d]", line):
            if not skip:
                costs[function, library] += int(line.split()[1])
            skip = False
    return costs


class Dispatch:
    def __init__(self, build, short):
        self.tandem = os.path.join(build, "bin", "tandem")
        self.steps = (2, 6) if short else (5, 45)

    def run(self, corpus, case="dp_mlp"):
        if not shutil.which("valgrind"):
            sys.exit("bench dispatch: missing: valgrind (apt-get install valgrind)")
        with tempfile.TemporaryDirectory() as folder:
            self.call(["valgrind", "--tool=none", "-q", self.tandem, "compile",
                       f"{corpus}/{case}.stablehlo.mlir", "-o", f"{folder}/program"])
            costs = []
            for steps in self.steps:
                self.call(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", "-q",
                           self.tandem, "run", f"{folder}/program", "--inputs",
                           f"{corpus}/{case}.inputs.npz", "--steps", str(steps), "--threads", "1"])
                costs.append(self_costs(f"{folder}/out"))
        costs[1].subtract(costs[0])
        count = self.steps[1] - self.steps[0]
        by_kind = collections.Counter()
        for (name, path), cost in costs[1].items():
            by_kind[kind_of(name, path)] += cost
        total = sum(by_kind.values())
        print(f"dispatch: {case}: {total / count:,.0f} instructions a step")
        for kind in KINDS:
            wanted = " (wanted under 10 %)" if kind == "dispatch" else ""
            print(f"  {kind:12}{by_kind[kind] / count:12,.0f}  {by_kind[kind] / total:6.1%}{wanted}")
        outside = [(cost, name) for (name, path), cost in costs[1].items()
                   if kind_of(name, path) == "dispatch"]
        for cost, name in sorted(outside, reverse=True)[:8]:
            print(f"    {cost / count:10,.0f}  {name[:90]}")

    @staticmethod
    def call(line):
        done = subprocess.run(line, capture_output=True, text=True, env={**os.environ, "TANDEM_CACHE_DIR": ""})
        if done.returncode != 0:
            sys.exit(f"bench dispatch: exit code {done.returncode}: {' '.join(line)}\n{done.stderr[-2000:]}")
