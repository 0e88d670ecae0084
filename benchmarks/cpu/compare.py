"""`./dev bench cpu`: JAX and Tandem side by side on the same programs and inputs.

For each program a JAX worker (cpu/jax_worker.py, in a virtual environment that is made here) writes text
and inputs and compiles; then JAX and Tandem run in turn, some steps each, and the medians of the rounds
are compared. Loops in C++ (cpu/loops.cpp) take their turn too where there is one for the program.
Columns: milliseconds of a step; how many times faster Tandem is; seconds of a compile (the least of
three; Tandem's with the start of the process, and without the cache of kernels); KiB of temporaries on a
device.
"""
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CORPUS = os.path.join(ROOT, "tests", "corpus")
VENV = os.path.join(ROOT, ".venv")
JAX = "jax==0.10.2"  # the worker compiles texts, for which there is no stable interface

# Name, and the loop that does the same.
SINGLE = [("mlp_infer", None), ("attention_infer", None), ("mlp_infer_m", None),
          ("attention_infer_m", None), ("conv_small", None), ("mnist_train", None),
          ("softmax_64m", "softmax"), ("rmsnorm_64m", "rmsnorm"), ("gelu_64m", "gelu"),
          ("sgemm_256", None), ("sgemm_512", None), ("sgemm_1024", None), ("sgemm_2048", None),
          ("bf16gemm_1024", None), ("f16gemm_512", None), ("scan_1000", None)]
MESH = [("dp_mlp", None), ("tensor_parallel_fwd", None), ("fsdp_transformer", None)]
TRAIN_STEPS = ("mnist_train", "dp_mlp", "fsdp_transformer")


def make_environment():
    """The interpreter of an environment with JAX, or None with the reason said."""
    python = os.path.join(VENV, "bin", "python")
    for _ in range(2):
        found = os.path.exists(python) and subprocess.run(
            [python, "-c", "import jax, sys; sys.exit(jax.__version__ != '%s')" % JAX[5:]],
            capture_output=True)
        if found and found.returncode == 0:
            return python
        print(f"cpu: making {VENV} with {JAX}", file=sys.stderr)
        for line in ([sys.executable, "-m", "venv", VENV], [python, "-m", "pip", "install", "-q", JAX]):
            done = subprocess.run(line, capture_output=True, text=True)
            if done.returncode != 0:
                last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
                print(f"cpu: missing: {JAX} in {VENV}: {' '.join(line)}: {' '.join(last)}",
                      file=sys.stderr)
                return None
    return None


class JaxWorker:
    def __init__(self, python, name, folder):
        self.process = subprocess.Popen([python, os.path.join(HERE, "jax_worker.py"), name, folder, CORPUS],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.facts = self.receive()

    def receive(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit("bench cpu: JAX failed:\n" + self.process.stderr.read()[-2000:])
        return json.loads(line)

    def run(self, steps):
        self.process.stdin.write(f"{steps}\n")
        self.process.stdin.flush()
        return self.receive()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def seconds_of(text):
    value, unit = re.match(r"([\d.]+) (ns|us|ms|s)\b", text).groups()
    return float(value) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[unit]


def call(line, **environment):
    done = subprocess.run(line, capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode != 0:
        sys.exit(f"bench cpu: exit code {done.returncode}: {' '.join(line)}\n{done.stderr[-2000:]}")
    return done.stdout


class Comparison:
    def __init__(self, build, short):
        self.tandem = os.path.join(build, "bin", "tandem")
        self.loops = os.path.join(build, "bin", "bench-loops")
        self.short = short
        self.rows = []

    def compile(self, name, folder):
        seconds = []
        for _ in range(1 if self.short else 3):
            start = time.perf_counter()
            call([self.tandem, "compile", f"{folder}/{name}.mlir", "-o", f"{folder}/{name}.program"],
                 TANDEM_CACHE_DIR="")
            seconds.append(time.perf_counter() - start)
        return min(seconds)

    def step(self, name, folder, steps):
        report = call([self.tandem, "run", f"{folder}/{name}.program", "--inputs", f"{folder}/{name}.npz",
                       "--steps", str(steps)])
        peak, arguments = (int(re.search(rf"^{what} bytes\s+(\d+)", report, re.M)[1])
                           for what in ("peak", "argument"))
        return seconds_of(re.search(r"^step time\s+(.*)", report, re.M)[1]), peak - arguments

    def measure(self, python, name, loop, folder):
        worker = JaxWorker(python, name, folder)
        compile_seconds = self.compile(name, folder)
        first = statistics.median(worker.run(3))
        steps = 3 if self.short else max(5, min(400, round(0.4 / first)))
        jax, ours, loops = [], [], []
        for _ in range(1 if self.short else 5):
            jax.append(statistics.median(worker.run(steps)))
            seconds, own_bytes = self.step(name, folder, steps)
            ours.append(seconds)
            if loop and os.path.exists(self.loops):
                text = call([self.loops, loop, str(steps), str(len(os.sched_getaffinity(0)))])
                loops.append(statistics.median(map(float, text.split())))
        worker.close()
        row = {"name": name, "jax": statistics.median(jax), "tandem": statistics.median(ours),
               "loop": statistics.median(loops) if loops else None,
               "jax_compile": worker.facts["compile_seconds"], "compile": compile_seconds,
               "jax_temp": worker.facts["temp_bytes"], "temp": own_bytes - worker.facts["result_bytes"]}
        self.rows.append(row)
        print(format_row(row), flush=True)

    def run(self, names):
        python = make_environment()
        if not python:
            sys.exit(1)
        if not os.path.exists(self.loops):
            print(f"cpu: missing: {self.loops} (build the target bench-loops); no loops are timed",
                  file=sys.stderr)
        print(f"{'cpu':22}{'JAX ms':>10}{'Tandem ms':>11}{'ratio':>7}{'loop ms':>9}{'of loop':>8}"
              f"{'compile s':>16}{'ratio':>7}{'temp KiB':>18}")
        with tempfile.TemporaryDirectory() as folder:
            for name, loop in SINGLE + MESH:
                if not names or name in names:
                    self.measure(python, name, loop, folder)
        self.summarise("one device", [row for row in self.rows if row["name"] in dict(SINGLE)])
        self.summarise("8 devices", [row for row in self.rows if row["name"] in dict(MESH)])
        trained = [row for row in self.rows if row["name"] in TRAIN_STEPS]
        if trained:
            worst = max(row["compile"] / row["jax_compile"] for row in trained)
            print(f"cpu: compile of the train steps: at most {worst:.2f} of JAX's (wanted 0.50)")
        if self.rows:
            # What fits in a page is nothing.
            ratios = [max(row["temp"], 4096) / max(row["jax_temp"], 4096) for row in self.rows]
            print(f"cpu: temporaries: {mean(ratios):.2f} of JAX's in geometric mean (wanted 1.00)")

    @staticmethod
    def summarise(title, rows):
        if not rows:
            return
        ratios = [row["jax"] / row["tandem"] for row in rows]
        worst = min(rows, key=lambda row: row["jax"] / row["tandem"])
        print(f"cpu: {title}: {mean(ratios):.2f} times JAX's speed in geometric mean, least "
              f"{min(ratios):.2f} ({worst['name']})")


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def format_row(row):
    loop = (f"{row['loop'] * 1e3:9.2f}{row['loop'] / row['tandem']:8.0%}" if row["loop"] else " " * 17)
    return (f"{row['name']:22}{row['jax'] * 1e3:10.3f}{row['tandem'] * 1e3:11.3f}"
            f"{row['jax'] / row['tandem']:7.2f}{loop}"
            f"{row['jax_compile']:8.2f}{row['compile']:8.2f}{row['compile'] / row['jax_compile']:7.2f}"
            f"{row['jax_temp'] / 1024:9.0f}{row['temp'] / 1024:9.0f}")
