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
MOVES_BYTES = re.compile(r"mem(cpy|move|set)")


def kind_of(name, path):
    """Of a function and the file that holds it."""
    if path == "???" or name.startswith("0x"):
        return "kernels"  # code made at run time
    library = os.path.basename(path)
    if re.match(r"lib(dnnl|openblas|gomp|m)\w*[.-]", library):
        return "libraries"
    if re.search(r"InProcess|reduceArrays|Reduction|Movement", name):
        return "collectives"
    if re.search(r"Gemm|OneDnn|Blas|dnnl_|gemm|PackedPlan|loadLine|storeLine|(load|store)As<|[wn]\w+F16|dtypeBytes", name):
        return "libraries"
    return "dispatch"


def self_costs(path):
    """Instructions by (function, object, kind). What moves bytes counts as its caller does; as
    copies where the runtime itself asks for it."""
    names, costs = {"fn": {}, "ob": {}}, collections.Counter()
    function = library = "???"
    called, is_call = "", False
    for line in open(path):
        match = re.match(r"(c?)(fn|ob)=\((\d+)\)(?: (.*))?$", line)
        if match:
            callee, what, number, name = match.groups()
            if name:
                names[what][number] = name.strip()
            name = names[what][number]
            if callee and what == "fn":
                called = name
            elif not callee and what == "fn":
                function = name
            elif not callee:
                library = name
        elif line.startswith("calls="):
            is_call = True  # the next line is what the callee took
        elif re.match(r"[+\-*\d]", line):
            cost = int(line.split()[1])
            if not is_call and not MOVES_BYTES.search(function):
                costs[function, library, kind_of(function, library)] += cost
            elif is_call and MOVES_BYTES.search(called) and not MOVES_BYTES.search(function):
                kind = kind_of(function, library)
                costs[f"{called} for {function}", library, "copies" if kind == "dispatch" else kind] += cost
            is_call = False
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
        for (_, _, kind), cost in costs[1].items():
            by_kind[kind] += cost
        total = sum(by_kind.values())
        print(f"dispatch: {case}: {total / count:,.0f} instructions a step")
        for kind in KINDS:
            wanted = " (wanted under 10 %)" if kind == "dispatch" else ""
            print(f"  {kind:12}{by_kind[kind] / count:12,.0f}  {by_kind[kind] / total:6.1%}{wanted}")
        for shown in ("copies", "dispatch"):
            functions = [(cost, name) for (name, _, kind), cost in costs[1].items() if kind == shown]
            for cost, name in sorted(functions, reverse=True)[:8]:
                if cost > 0:
                    print(f"    {shown:9}{cost / count:10,.0f}  {name[:90]}")

    @staticmethod
    def call(line):
        done = subprocess.run(line, capture_output=True, text=True, env={**os.environ, "TANDEM_CACHE_DIR": ""})
        if done.returncode != 0:
            sys.exit(f"bench dispatch: exit code {done.returncode}: {' '.join(line)}\n{done.stderr[-2000:]}")
