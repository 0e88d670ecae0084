"""Prepares one program and runs it in JAX when asked. Runs inside the benchmark's virtual environment.

  jax_worker.py NAME FOLDER CORPUS

writes NAME.mlir and NAME.npz into FOLDER, compiles, and prints one line of JSON: seconds of a compile
(the least of three, of the lowered module) and bytes per device. Then, for each line "STEPS" on its
standard input, runs that many steps and prints their seconds as JSON. Results that alias an argument are
fed back into it, as `tandem run --steps` does.
"""
import json
import os
import re
import sys
import time

name, folder, corpus = sys.argv[1:4]
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
# Before JAX is imported: it reads its flags then.
DEVICES = {"mnist_train": 1, "dp_mlp": 8, "tensor_parallel_fwd": 8, "fsdp_transformer": 8}.get(name, 1)
if DEVICES > 1:
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES}"
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402
import numpy as np  # noqa: E402

import programs  # noqa: E402


class Jitted:
    """A function, compiled and called as JAX's users do."""

    def __init__(self, function, arguments):
        self.jitted = jax.jit(function, keep_unused=True)
        lowered = self.jitted.lower(*arguments)
        with open(f"{folder}/{name}.mlir", "w") as file:
            file.write(lowered.as_text())
        save(arguments)
        def prepare():  # a lowered module keeps its executable
            jax.clear_caches()
            return self.jitted.lower(*arguments)

        self.compile_seconds, compiled = least_of(3, lambda fresh: fresh.compile(), prepare)
        self.memory = compiled.memory_analysis()
        self.arguments = [jax.device_put(a) for a in arguments]

    def step(self):
        return jax.block_until_ready(self.jitted(*self.arguments))

    def feed_back(self, results):
        """No program that is given as a function donates."""


class FromText:
    """A module of the corpus, compiled from its text for all of its devices."""

    def __init__(self):
        import jaxlib.xla_client as xc
        from jax._src.interpreters import mlir as jax_mlir
        from jax._src.sharding_impls import GSPMDSharding
        from jaxlib.mlir import ir

        text = open(f"{corpus}/{name}.stablehlo.mlir").read()
        with open(f"{folder}/{name}.mlir", "w") as file:
            file.write(text)
        with np.load(f"{corpus}/{name}.inputs.npz") as stored:
            arguments = [load(key, stored[key]) for key in sorted(stored.files)]
        save(arguments)
        devices = jax.devices()[:DEVICES]
        options = xc.CompileOptions()
        options.num_replicas, options.num_partitions = 1, DEVICES
        build = options.executable_build_options
        build.num_replicas, build.num_partitions = 1, DEVICES
        build.use_spmd_partitioning = build.use_shardy_partitioner = DEVICES > 1
        build.device_assignment = xc.DeviceAssignment.create(np.arange(DEVICES).reshape(1, DEVICES))
        with jax_mlir.make_ir_context():
            module = ir.Module.parse(text)
            self.compile_seconds, self.executable = least_of(
                3, lambda _: devices[0].client.compile_and_load(
                    module, xc.DeviceList(tuple(devices)), options))
        self.memory = self.executable.get_compiled_memory_stats()
        self.aliases = {}  # result: argument
        main = text[text.index("func.func public @main("):].splitlines()[0]
        for argument in re.finditer(r"%arg(\d+): ((?:(?!%arg).)*)", main):
            alias = re.search(r"tf\.aliasing_output = (\d+)", argument[2])
            if alias:
                self.aliases[int(alias[1])] = int(argument[1])
        specs = self.executable.get_parameter_shardings() if DEVICES > 1 else None
        self.shardings = ([GSPMDSharding(devices, spec) for spec in specs] if specs
                          else [jax.sharding.SingleDeviceSharding(devices[0])] * len(arguments))
        self.arguments = [jax.device_put(*pair) for pair in zip(arguments, self.shardings)]
        jax.block_until_ready(self.arguments)

    def step(self):
        results = self.executable.execute_sharded(self.arguments)
        parts = results.disassemble_into_single_device_arrays()
        jax.block_until_ready(parts)
        return parts

    def feed_back(self, parts):
        for result, argument in self.aliases.items():
            self.arguments[argument] = jax.make_array_from_single_device_arrays(
                self.arguments[argument].shape, self.shardings[argument], parts[result])


def save(arguments):
    stored = {}
    for i, array in enumerate(arguments):
        array = np.asarray(array)
        key = f"arg{i}"
        if array.dtype.name == "bfloat16":
            key, array = key + "@bfloat16", array.view(np.uint16)
        stored[key] = array
    np.savez(f"{folder}/{name}.npz", **stored)


def load(key, array):
    """bf16 is stored as its bits."""
    return array.view(jax.numpy.bfloat16) if key.endswith("@bfloat16") else array


def least_of(count, function, prepare=lambda: None):
    seconds = []
    for _ in range(count):
        prepared = prepare()
        start = time.perf_counter()
        made = function(prepared)
        seconds.append(time.perf_counter() - start)
    return min(seconds), made


def main():
    program = Jitted(*programs.PROGRAMS[name]()) if name in programs.PROGRAMS else FromText()
    program.feed_back(program.step())
    memory = program.memory
    print(json.dumps({"compile_seconds": program.compile_seconds, "devices": DEVICES,
                      "temp_bytes": memory.temp_size_in_bytes,
                      "result_bytes": memory.output_size_in_bytes - memory.alias_size_in_bytes}),
          flush=True)
    for line in sys.stdin:
        seconds = []
        for _ in range(int(line)):
            start = time.perf_counter()
            results = program.step()
            seconds.append(time.perf_counter() - start)
            program.feed_back(results)
            del results
        print(json.dumps(seconds), flush=True)


main()
