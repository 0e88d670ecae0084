"""The programs that are timed, as JAX functions of plain arrays. Runs inside the benchmark's virtual
environment only.

PROGRAMS maps a name to a function that returns (function, arguments). The train steps are not here: they
are texts in tests/corpus, with their inputs.
"""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

def normal(rng, *shape, scale=1.0):
    return (rng.standard_normal(shape) * scale).astype(np.float32)


def mlp(batch, sizes):
    def infer(x, *parameters):
        for i in range(0, len(parameters), 2):
            x = x @ parameters[i] + parameters[i + 1]
            if i + 2 < len(parameters):
                x = jax.nn.relu(x)
        return jax.nn.softmax(x, -1)

    rng = np.random.default_rng(0)
    parameters = []
    for inputs, outputs in zip(sizes, sizes[1:]):
        parameters += [normal(rng, inputs, outputs, scale=inputs**-0.5), normal(rng, outputs, scale=0.1)]
    return infer, [normal(rng, batch, sizes[0]), *parameters]


def attention(batch, length, width, heads):
    def infer(x, wq, wk, wv, wo):
        def split(w):
            return (x @ w).reshape(batch, length, heads, width // heads).transpose(0, 2, 1, 3)

        q, k, v = split(wq), split(wk), split(wv)
        scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) * np.float32((width // heads) ** -0.5)
        scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
        out = jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores, -1), v)
        return out.transpose(0, 2, 1, 3).reshape(batch, length, width) @ wo

    rng = np.random.default_rng(1)
    weights = [normal(rng, width, width, scale=width**-0.5) for _ in range(4)]
    return infer, [normal(rng, batch, length, width), *weights]


def convnet(batch):
    numbers = ("NHWC", "HWIO", "NHWC")

    def infer(x, w1, b1, w2, b2, w3, b3):
        for w, b in ((w1, b1), (w2, b2)):
            x = jax.nn.relu(lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=numbers) + b)
            x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return x.reshape(batch, -1) @ w3 + b3

    rng = np.random.default_rng(2)
    return infer, [normal(rng, batch, 28, 28, 1), normal(rng, 3, 3, 1, 8, scale=0.3), normal(rng, 8),
                   normal(rng, 3, 3, 8, 16, scale=0.15), normal(rng, 16),
                   normal(rng, 7 * 7 * 16, 10, scale=0.05), normal(rng, 10)]


def rowwise(function):
    """Over 64 MiB: 4096 rows of 4096."""
    return function, [normal(np.random.default_rng(3), 4096, 4096)]


def rmsnorm(x):
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)


def sgemm(n, dtype=np.float32):
    rng = np.random.default_rng(4)
    a, b = (normal(rng, n, n).astype(dtype) for _ in range(2))
    return jnp.matmul, [a, b]


def scan(steps, width):
    def loop(carry, xs, w):
        def step(h, x):
            h = jnp.tanh(h @ w + x)
            return h, h

        return lax.scan(step, carry, xs)

    rng = np.random.default_rng(5)
    return loop, [normal(rng, width), normal(rng, steps, width), normal(rng, width, width, scale=width**-0.5)]


PROGRAMS = {
    "mlp_infer": lambda: mlp(32, [128, 256, 256, 10]),
    "attention_infer": lambda: attention(2, 32, 64, 4),
    "mlp_infer_m": lambda: mlp(256, [784, 2048, 2048, 2048, 10]),
    "attention_infer_m": lambda: attention(4, 256, 512, 8),
    "conv_small": lambda: convnet(4),
    "softmax_64m": lambda: rowwise(functools.partial(jax.nn.softmax, axis=-1)),
    "rmsnorm_64m": lambda: rowwise(rmsnorm),
    "gelu_64m": lambda: rowwise(jax.nn.gelu),
    "sgemm_256": lambda: sgemm(256),
    "sgemm_512": lambda: sgemm(512),
    "sgemm_1024": lambda: sgemm(1024),
    "sgemm_2048": lambda: sgemm(2048),
    "bf16gemm_1024": lambda: sgemm(1024, jnp.bfloat16),
    "f16gemm_512": lambda: sgemm(512, np.float16),
    "scan_1000": lambda: scan(1000, 32),
}
