"""The rarer ops of the graphs that fuzz-partition makes (see there): ops with several results,
branches, manual computations, factorisations, transforms, batched indices, narrow and complex types.

A mixin of fuzz-partition's Graph. Each method of KINDS appends one op, or what an op needs besides,
and returns its value, or None where no value of the graph fits.
"""

UNARY = ("exponential", "exponential_minus_one")
BINARY = ("divide", "atan2")
# A sum over devices may differ in its last bits, and these would make that a large difference: they
# are given whole numbers only, which are the same on any number of devices.
STEPS = ("ceil", "floor", "sign", "round_nearest_even", "round_nearest_afz")


class MoreOps:
    KINDS = ("partial_unary", "partial_binary", "clamp", "narrow", "bits", "complex", "argmax", "sort_pairs",
             "top_k", "branch", "barrier", "factorise", "transform", "random_bits", "pool_gradient",
             "take_along", "windows", "scatter_batched", "reduce_bits", "manual", "group", "integer_dot",
             "grouped_convolution", "image_convolution", "join_three", "triangle",
             "points", "scatter_points", "roll", "owned", "feature_groups", "pool_gradient_wide")

    def emit_many(self, text, parts):
        """An op with several results, of (shape, element) each."""
        made = self.emit(text, *parts[0])
        self.lines[-1] = self.lines[-1].replace(f"{made.name} =", f"{made.name}:{len(parts)} =", 1)
        values = [type(made)(f"{made.name}#{i}", shape, element) for i, (shape, element) in enumerate(parts)]
        return values

    def tensor(self, shape, element):
        return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"

    def as_float(self, x):
        return x if x.element == "f32" else self.emit(
            f"stablehlo.convert {x.name} : ({x.type}) -> {self.tensor(x.shape, 'f32')}", x.shape, "f32")

    def pick_exact(self, **what):
        """A float made of whole numbers."""
        x = self.pick("i32", **what)
        return x and self.as_float(x)

    # --- Elementwise ---
    def partial_unary(self):
        """Ops that are not finite at zero, where a device's padding often is."""
        x = self.pick("f32")
        if x and self.rng.random() < 0.3:
            return self.emit(f"stablehlo.{self.rng.choice(UNARY)} {x.name} : {x.type}", x.shape, "f32")
        x = self.pick_exact()
        if not x:
            return None
        x = self.emit(f"stablehlo.abs {x.name} : {x.type}", x.shape, "f32")
        op = self.rng.choice(("log", "rsqrt", "sqrt", "cbrt", "log_plus_one"))
        return self.emit(f"stablehlo.{op} {x.name} : {x.type}", x.shape, "f32")

    def partial_binary(self):
        x = self.pick("i32")
        if not x:
            return None
        y = self.as_float(self.rng.choice([v for v in self.values if v.shape == x.shape and v.element == "i32"]))
        x = self.as_float(x)
        made = self.emit(f"stablehlo.{self.rng.choice(BINARY)} {x.name}, {y.name} : {x.type}", x.shape, "f32")
        return self.emit(f"stablehlo.tanh {made.name} : {made.type}", x.shape, "f32")

    def clamp(self):
        x = self.pick("f32")
        if not x:
            return None
        low, high = self.constant(-1, "f32"), self.constant(1, "f32")
        return self.emit(f"stablehlo.clamp {low.name}, {x.name}, {high.name} : (tensor<f32>, {x.type}, tensor<f32>) "
                         f"-> {x.type}", x.shape, "f32")

    def narrow(self):
        """Rounded: through bf16 and back, with fewer bits, to whole numbers."""
        x = self.pick_exact()
        if not x:
            return None
        if self.rng.random() < 0.4:
            half = self.constant(1, "f32")
            wide = self.emit(f"stablehlo.broadcast_in_dim {half.name}, dims = [] : (tensor<f32>) -> {x.type}", x.shape, "f32")
            x = self.emit(f"stablehlo.remainder {x.name}, {wide.name} : {x.type}", x.shape, "f32")
            return self.emit(f"stablehlo.{self.rng.choice(STEPS)} {x.name} : {x.type}", x.shape, "f32")
        if self.rng.random() < 0.3:
            return self.emit(f"stablehlo.reduce_precision {x.name}, format = e5m10 : {x.type}", x.shape, "f32")
        kind = self.tensor(x.shape, "bf16")
        x = self.emit(f"stablehlo.convert {x.name} : ({x.type}) -> {kind}", x.shape, "bf16")
        return self.emit(f"stablehlo.convert {x.name} : ({kind}) -> {self.tensor(x.shape, 'f32')}", x.shape, "f32")

    def bits(self):
        x = self.pick("i32")
        if not x:
            return None
        op = self.rng.choice(("shift_left", "shift_right_logical", "shift_right_arithmetic", "divide", "remainder"))
        if self.rng.random() < 0.5:
            y = self.rng.choice([v for v in self.values if v.shape == x.shape and v.element == "i32"])
            return self.emit(f"stablehlo.{op} {x.name}, {y.name} : {x.type}", x.shape, "i32")
        wide = self.emit(f"stablehlo.bitcast_convert {x.name} : ({x.type}) -> "
                         f"{self.tensor(x.shape + (4,), 'i8')}", x.shape + (4,), "i8")
        return self.emit(f"stablehlo.convert {wide.name} : ({wide.type}) -> "
                         f"{self.tensor(wide.shape, 'i32')}", wide.shape, "i32")

    def complex(self):
        x = self.pick("f32")
        if not x:
            return None
        y = self.rng.choice([v for v in self.values if v.shape == x.shape and v.element == "f32"])
        c = self.emit(f"stablehlo.complex {x.name}, {y.name} : {self.tensor(x.shape, 'complex<f32>')}", x.shape,
                      "complex<f32>")
        c = self.emit(f"stablehlo.multiply {c.name}, {c.name} : {c.type}", x.shape, c.element)
        if x.shape and self.rng.random() < 0.5:
            c = self.sum_of(c, self.rng.randrange(len(x.shape)))
        return self.emit(f"stablehlo.{self.rng.choice(('real', 'imag'))} {c.name} : ({c.type}) -> "
                         f"{self.tensor(c.shape, 'f32')}", c.shape, "f32")

    def sum_of(self, c, dim):
        zero = self.emit("stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>", (), c.element)
        shape = c.shape[:dim] + c.shape[dim + 1:]
        return self.emit(f"stablehlo.reduce({c.name} init: {zero.name}) applies stablehlo.add across dimensions = "
                         f"[{dim}] : ({c.type}, {zero.type}) -> {self.tensor(shape, c.element)}", shape, c.element)

    # --- Several results ---
    def argmax(self):
        """The largest element along a dimension and where it first is, ties included."""
        x = self.pick("i32", rank=1)
        if not x:
            return None
        dim, p = self.rng.randrange(len(x.shape)), self.prefix + str(self.count)
        i = self.emit(f"stablehlo.iota dim = {dim} : {self.tensor(x.shape, 'i32')}", x.shape, "i32")
        low, zero = self.constant(-2147483648, "i32"), self.constant(0, "i32")
        shape = x.shape[:dim] + x.shape[dim + 1:]
        kind = self.tensor(shape, "i32")
        a, b, c, d = f"%{p}a", f"%{p}b", f"%{p}c", f"%{p}d"
        i1 = "(tensor<i32>, tensor<i32>) -> tensor<i1>"
        made = self.emit_many(
            f"stablehlo.reduce({x.name} init: {low.name}), ({i.name} init: {zero.name}) across dimensions = [{dim}] : "
            f"({x.type}, {i.type}, tensor<i32>, tensor<i32>) -> ({kind}, {kind})\n"
            f"     reducer({a}: tensor<i32>, {c}: tensor<i32>) ({b}: tensor<i32>, {d}: tensor<i32>) {{\n"
            f"      %{p}g = stablehlo.compare GT, {a}, {c}, SIGNED : {i1}\n"
            f"      %{p}e = stablehlo.compare EQ, {a}, {c}, SIGNED : {i1}\n"
            f"      %{p}f = stablehlo.compare LT, {b}, {d}, SIGNED : {i1}\n"
            f"      %{p}h = stablehlo.and %{p}e, %{p}f : tensor<i1>\n"
            f"      %{p}k = stablehlo.or %{p}g, %{p}h : tensor<i1>\n"
            f"      %{p}v = stablehlo.select %{p}g, {a}, {c} : tensor<i1>, tensor<i32>\n"
            f"      %{p}w = stablehlo.select %{p}k, {b}, {d} : tensor<i1>, tensor<i32>\n"
            f"      stablehlo.return %{p}v, %{p}w : tensor<i32>, tensor<i32>\n    }}",
            [(shape, "i32"), (shape, "i32")])
        return self.rng.choice(made)

    def sort_pairs(self):
        x = self.pick("i32", rank=1)
        if not x:
            return None
        others = [v for v in self.values if v.shape == x.shape]
        y, p = self.rng.choice(others), self.prefix + str(self.count)
        e = self.tensor((), y.element)
        made = self.emit_many(
            f'"stablehlo.sort"({x.name}, {y.name}) <{{dimension = {self.rng.randrange(len(x.shape))} : i64, is_stable = '
            f"true}}> ({{\n    ^bb0(%{p}l: tensor<i32>, %{p}r: tensor<i32>, %{p}m: {e}, %{p}n: {e}):\n"
            f"      %{p}c = stablehlo.compare GT, %{p}l, %{p}r, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
            f"      stablehlo.return %{p}c : tensor<i1>\n    }}) : ({x.type}, {y.type}) -> ({x.type}, {y.type})",
            [(x.shape, "i32"), (y.shape, y.element)])
        return self.rng.choice(made)

    def top_k(self):
        x = self.pick("i32", rank=1)
        if not x:
            return None
        k = self.rng.randint(1, x.shape[-1])
        shape = x.shape[:-1] + (k,)
        kind = self.tensor(shape, "i32")
        return self.rng.choice(self.emit_many(
            f"chlo.top_k({x.name}, k = {k}) : {x.type} -> ({kind}, {kind})", [(shape, "i32"), (shape, "i32")]))

    def barrier(self):
        x, y = self.pick(), self.pick()
        return self.rng.choice(self.emit_many(
            f"stablehlo.optimization_barrier {x.name}, {y.name} : {x.type}, {y.type}",
            [(x.shape, x.element), (y.shape, y.element)]))

    # --- Control flow and regions ---
    def branch(self):
        x, index, p = self.pick(), self.index(), self.prefix + str(self.count)
        other = self.rng.choice([v for v in self.values if v.shape == x.shape and v.element == x.element])
        return self.emit(
            f'"stablehlo.case"({index.name}) ({{\n      %{p}p = stablehlo.abs {x.name} : {x.type}\n'
            f"      stablehlo.return %{p}p : {x.type}\n    }}, {{\n"
            f"      %{p}q = stablehlo.add {x.name}, {other.name} : {x.type}\n"
            f"      stablehlo.return %{p}q : {x.type}\n    }}) : (tensor<i32>) -> {x.type}", x.shape, x.element)

    def manual(self):
        """A device's part, and its sum over the devices of an axis."""
        name, size = self.rng.choice(self.mesh)
        found = [(v, d) for v in self.values if v.element == "f32" for d, s in enumerate(v.shape) if s % size == 0]
        if not found:
            return None
        (x, dim), p = self.rng.choice(found), self.prefix + str(self.count)
        def at(other):
            return "[" + ", ".join("{" + (f'"{name}"' if d == other else "") + "}" for d in range(len(x.shape))) + "]"
        local = list(x.shape)
        local[dim] //= size
        local = self.tensor(local, "f32")
        groups, sizes = [[]], [s for _, s in self.mesh]
        at_axis, devices, total = [n for n, _ in self.mesh].index(name), {}, 1
        for s in sizes:
            total *= s
        stride = 1
        for s in sizes[at_axis + 1:]:
            stride *= s
        for device in range(total):
            devices.setdefault(device - device // stride % size * stride, []).append(device)
        groups = list(devices.values())
        sums = self.rng.random() < 0.5
        body = (f'      %{p}s = "stablehlo.all_reduce"(%{p}y) <{{replica_groups = dense<{groups}> : '
                f"tensor<{len(groups)}x{size}xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, "
                f"use_global_device_ids}}> ({{\n      ^bb0(%{p}l: tensor<f32>, %{p}r: tensor<f32>):\n"
                f"        %{p}t = stablehlo.add %{p}l, %{p}r : tensor<f32>\n"
                f"        stablehlo.return %{p}t : tensor<f32>\n      }}) : ({local}) -> {local}\n") if sums else ""
        result = local if sums else x.type
        return self.emit(
            f"sdy.manual_computation({x.name}) in_shardings=[<@mesh, {at(dim)}>] out_shardings=[<@mesh, "
            f'{at(-1 if sums else dim)}>] manual_axes={{"{name}"}} (%{p}x: {local}) {{\n'
            f"      %{p}y = stablehlo.sine %{p}x : {local}\n{body}"
            f"      sdy.return %{p}{'s' if sums else 'y'} : {local}\n    }} : ({x.type}) -> {result}",
            [s // size if sums and d == dim else s for d, s in enumerate(x.shape)], "f32")

    def group(self):
        """Two values that are to be split alike."""
        x = self.pick()
        y = self.rng.choice([v for v in self.values if v.shape == x.shape])
        number = int(self.prefix[1:]) * 1000 + len(self.lines)
        for value in (x, y):
            self.lines.append(f"sdy.sharding_group {value.name} group_id={number} : {value.type}")

    # --- Linear algebra and transforms ---
    def square(self):
        """A batch of well-conditioned symmetric matrices."""
        x = self.pick("f32", rank=2, most=256)
        if not x or x.shape[-1] > 8 or len(x.shape) > 3:
            return None
        x = self.emit(f"stablehlo.sine {x.name} : {x.type}", x.shape, "f32")
        batch, n = list(range(len(x.shape) - 2)), x.shape[-1]
        shape, m = x.shape[:-2] + (n, n), len(x.shape) - 2
        kind = self.tensor(shape, "f32")
        dims = f"batching_dims = {batch} x {batch}, " if batch else ""
        s = self.emit(f"stablehlo.dot_general {x.name}, {x.name}, {dims}contracting_dims = [{m}] x [{m}] : ({x.type}, "
                      f"{x.type}) -> {kind}", shape, "f32")
        rows, columns = (self.emit(f"stablehlo.iota dim = {m + d} : {self.tensor(shape, 'i32')}", shape, "i32")
                         for d in (0, 1))
        same = self.emit(f"stablehlo.compare EQ, {rows.name}, {columns.name}, SIGNED : ({rows.type}, {rows.type}) -> "
                         f"{self.tensor(shape, 'i1')}", shape, "i1")
        diagonal = self.emit(f"stablehlo.convert {same.name} : ({same.type}) -> {kind}", shape, "f32")
        return self.emit(f"stablehlo.add {s.name}, {diagonal.name} : {kind}", shape, "f32")

    def factorise(self):
        s = self.square()
        return s and self.emit(f"stablehlo.cholesky {s.name}, lower = true : {s.type}", s.shape, "f32")

    def triangle(self):
        s = self.square()
        if not s:
            return None
        low = self.emit(f"stablehlo.cholesky {s.name}, lower = true : {s.type}", s.shape, "f32")
        return self.emit(
            f'"stablehlo.triangular_solve"({low.name}, {s.name}) <{{left_side = true, lower = true, transpose_a = '
            f"#stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}}> : ({s.type}, {s.type}) -> {s.type}", s.shape,
            "f32")

    def transform(self):
        x = self.pick("f32", rank=1)
        if not x:
            return None
        n = x.shape[-1]
        shape = x.shape[:-1] + (n // 2 + 1,)
        c = self.emit(f"stablehlo.fft {x.name}, type = RFFT, length = [{n}] : ({x.type}) -> "
                      f"{self.tensor(shape, 'complex<f32>')}", shape, "complex<f32>")
        return self.emit(f"stablehlo.real {c.name} : ({c.type}) -> {self.tensor(shape, 'f32')}", shape, "f32")

    def integer_dot(self):
        x = self.pick("i32", rank=1, most=256)
        if not x:
            return None
        found = [(y, j) for y in self.values if y.element == "i32" and len(y.shape) < 3
                 for j, s in enumerate(y.shape) if s == x.shape[0]]
        if not found:
            return None
        y, j = self.rng.choice(found)
        shape = list(x.shape[1:]) + [s for d, s in enumerate(y.shape) if d != j]
        return self.emit(f"stablehlo.dot_general {x.name}, {y.name}, contracting_dims = [0] x [{j}] : ({x.type}, "
                         f"{y.type}) -> {self.tensor(shape, 'i32')}", shape, "i32")

    # --- Random bits, windows ---
    def random_bits(self):
        shape = [self.rng.choice((1, 2, 3, 4, 7, 8)) for _ in range(self.rng.choice((1, 2)))]
        state = self.emit("stablehlo.constant dense<[3, 5]> : tensor<2xui64>", (2,), "ui64")
        bits = self.emit_many(
            f"stablehlo.rng_bit_generator {state.name}, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, "
            f"{self.tensor(shape, 'ui32')})", [((2,), "ui64"), (shape, "ui32")])[1]
        return self.emit(f"stablehlo.bitcast_convert {bits.name} : ({bits.type}) -> {self.tensor(shape, 'i32')}", shape,
                         "i32")

    def pool_gradient(self):
        """Windows of two along one dimension."""
        x = self.pick_exact(rank=2, most=512)
        if not x or x.shape[1] < 2:
            return None
        window, shape = [1] * len(x.shape), list(x.shape)
        window[1], shape[1] = 2, x.shape[1] // 2
        return self.scatter_to_largest(x, window, shape, 0)

    def pool_gradient_wide(self):
        """The same along all dimensions that windows of two or three cover."""
        x = self.pick_exact(rank=2, most=512)
        if not x:
            return None
        window = [self.rng.choice([w for w in (1, 2, 3) if s % w == 0]) for s in x.shape]
        shape = [s // w for s, w in zip(x.shape, window)]
        return self.scatter_to_largest(x, window, shape, 1)

    def scatter_to_largest(self, x, window, shape, init):
        """Each window's largest element gets the window's gradient; windows lie side by side."""
        g = self.emit(f"stablehlo.iota dim = {self.rng.randrange(len(shape))} : {self.tensor(shape, 'f32')}", shape,
                      "f32")
        zero, p, scalar = self.constant(init, "f32"), self.prefix + str(self.count), "tensor<f32>"
        sizes = ", ".join(map(str, window))
        return self.emit(
            f'"stablehlo.select_and_scatter"({x.name}, {g.name}, {zero.name}) <{{window_dimensions = array<i64: {sizes}>, '
            f"window_strides = array<i64: {sizes}>}}> ({{\n    ^bb0(%{p}l: {scalar}, %{p}r: {scalar}):\n"
            f"      %{p}c = stablehlo.compare GE, %{p}l, %{p}r, FLOAT : ({scalar}, {scalar}) -> tensor<i1>\n"
            f"      stablehlo.return %{p}c : tensor<i1>\n    }}, {{\n    ^bb0(%{p}m: {scalar}, %{p}n: {scalar}):\n"
            f"      %{p}s = stablehlo.add %{p}m, %{p}n : {scalar}\n      stablehlo.return %{p}s : {scalar}\n    }}) : "
            f"({x.type}, {g.type}, {scalar}) -> {x.type}", x.shape, "f32")

    def convolve(self, x, kernel, out, numbers, extra, shape):
        k = self.emit(f"stablehlo.iota dim = {self.rng.randrange(len(kernel))} : {self.tensor(kernel, 'f32')}", kernel,
                      "f32")
        return self.emit(f"stablehlo.convolution({x.name}, {k.name}) dim_numbers = {numbers}, window = {{{extra[0]}}} "
                         f"{{batch_group_count = {extra[2]} : i64, feature_group_count = {extra[1]} : i64}} : ({x.type}, "
                         f"{k.type}) -> {self.tensor(shape, 'f32')}", shape, "f32")

    def grouped_convolution(self):
        """Each feature, or each half of the batch, by itself."""
        x = self.pick("f32", rank=3, most=512)
        if not x or len(x.shape) != 3:
            return None
        b, size, f = x.shape
        numbers = "[b, 0, f]x[0, i, o]->[b, 0, f]"
        if b % 2 == 0 and self.rng.random() < 0.4:
            return self.convolve(x, (1, f, 2), 2, numbers, ("pad = [[0, 0]]", 1, 2), (b // 2, size, 2))
        dilated = self.rng.random() < 0.4
        made = 2 * size - 1 if dilated else size
        window = "pad = [[1, 0]]" + (", lhs_dilate = [2]" if dilated else "")
        return self.convolve(x, (2, 1, f), f, numbers, (window, f, 1), (b, made, f))

    def feature_groups(self):
        """Several features in each group."""
        x = self.pick("f32", rank=3, most=512)
        if not x or len(x.shape) != 3 or x.shape[2] % 2:
            return None
        b, size, f = x.shape
        groups = f // 2 if self.rng.random() < 0.7 else 2
        if self.rng.random() < 0.3 and b % 2 == 0:
            return self.convolve(x, (1, f, 4), 4, "[b, 0, f]x[0, i, o]->[b, 0, f]", ("pad = [[0, 0]]", 1, 2),
                                 (b // 2, size, 4))
        return self.convolve(x, (2, f // groups, 3 * groups), 3 * groups, "[b, 0, f]x[0, i, o]->[b, 0, f]",
                             ("pad = [[1, 0]]", groups, 1), (b, size, 3 * groups))

    def image_convolution(self):
        x = self.pick("f32", rank=3, most=512)
        if not x or len(x.shape) != 3 or min(x.shape[:2]) < 2:
            return None
        x = self.emit(f"stablehlo.reshape {x.name} : ({x.type}) -> {self.tensor(x.shape + (1,), 'f32')}",
                      x.shape + (1,), "f32")
        h, w, b, _ = x.shape
        return self.convolve(x, (2, 2, 1, 3), 3, "[0, 1, b, f]x[0, 1, i, o]->[0, 1, b, f]",
                             ("pad = [[0, 1], [1, 1]]", 1, 1), (h, w + 1, b, 3))

    # --- Indices ---
    def take_along(self):
        """Element by element at computed places of the second dimension, row by row."""
        x = self.pick(rank=2, most=512)
        if not x or len(x.shape) != 2:
            return None
        n, m = x.shape[0], self.rng.choice((1, 2, 3, 8))
        i = self.emit(f"stablehlo.iota dim = {self.rng.randrange(3)} : {self.tensor((n, m, 1), 'i32')}", (n, m, 1), "i32")
        return self.emit(
            f'"stablehlo.gather"({x.name}, {i.name}) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], '
            f"operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = "
            f"2>, slice_sizes = array<i64: 1, 1>}}> : ({x.type}, {i.type}) -> {self.tensor((n, m), x.element)}", (n, m),
            x.element)

    def windows(self):
        """Windows that start at computed places of both dimensions, some beyond the end."""
        x, i = self.pick(rank=2, most=256), self.pick("i32", rank=1, most=16)
        if not x or len(x.shape) != 2 or not i or len(i.shape) != 1:
            return None
        n = i.shape[0]
        i = self.emit(f"stablehlo.broadcast_in_dim {i.name}, dims = [0] : ({i.type}) -> tensor<{n}x2xi32>", (n, 2), "i32")
        sizes = [self.rng.randint(1, s) for s in x.shape]
        shape = [n] + sizes
        return self.emit(
            f'"stablehlo.gather"({x.name}, {i.name}) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], '
            f"start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: {sizes[0]}, {sizes[1]}>}}> : "
            f"({x.type}, {i.type}) -> {self.tensor(shape, x.element)}", shape, x.element)

    def scatter_batched(self):
        """Updates of each row to computed places of it, combined in several ways."""
        x = self.pick("i32", rank=2, most=512)
        if not x or len(x.shape) != 2:
            return None
        n, m = x.shape[0], self.rng.choice((1, 2, 3, 8))
        i = self.emit(f"stablehlo.iota dim = {self.rng.randrange(3)} : {self.tensor((n, m, 1), 'i32')}", (n, m, 1), "i32")
        y = self.emit(f"stablehlo.iota dim = {self.rng.randrange(2)} : {self.tensor((n, m), 'i32')}", (n, m), "i32")
        op, p, scalar = self.rng.choice(("add", "maximum", "minimum", "multiply")), self.prefix + str(self.count), "tensor<i32>"
        return self.emit(
            f'"stablehlo.scatter"({x.name}, {i.name}, {y.name}) <{{scatter_dimension_numbers = #stablehlo.scatter<'
            f"inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], "
            f"scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}}> ({{\n    ^bb0(%{p}l: {scalar}, %{p}r: {scalar}):\n"
            f"      %{p}s = stablehlo.{op} %{p}l, %{p}r : {scalar}\n      stablehlo.return %{p}s : {scalar}\n    }}) : "
            f"({x.type}, {i.type}, {y.type}) -> {x.type}", x.shape, "i32")

    def places(self, x, m):
        """Pairs of indices into the first two dimensions, some out of range."""
        p, ones = self.rng.randrange(2), self.tensor((m, 2), "i32")
        i = self.emit(f"stablehlo.iota dim = {p} : {ones}", (m, 2), "i32")
        y = self.pick("i32", rank=1, most=16)
        if y and y.shape == (m,):
            y = self.emit(f"stablehlo.broadcast_in_dim {y.name}, dims = [0] : ({y.type}) -> {ones}", (m, 2), "i32")
            i = self.emit(f"stablehlo.subtract {i.name}, {y.name} : {ones}", (m, 2), "i32")
        return i

    def points(self):
        """Elements, or rows of the rest, at computed places of the first two dimensions."""
        x = self.pick(rank=2, most=512)
        if not x or x.element not in ("f32", "i32"):
            return None
        m = self.rng.choice((1, 2, 3, 4, 8))
        i, rest = self.places(x, m), list(x.shape[2:])
        order, offsets = self.rng.choice(([0, 1], [1, 0])), list(range(1, len(rest) + 1))
        text = f"offset_dims = {offsets}, " if rest else ""
        sizes = ", ".join(map(str, [1, 1] + rest))
        return self.emit(
            f'"stablehlo.gather"({x.name}, {i.name}) <{{dimension_numbers = #stablehlo.gather<{text}collapsed_slice_dims = '
            f"[0, 1], start_index_map = {order}, index_vector_dim = 1>, slice_sizes = array<i64: {sizes}>}}> : ({x.type}, "
            f"{i.type}) -> {self.tensor([m] + rest, x.element)}", [m] + rest, x.element)

    def scatter_points(self):
        """Updates to computed places of two dimensions, combined in several ways."""
        x = self.pick("i32", rank=2, most=512)
        if not x or len(x.shape) != 2:
            return None
        m = self.rng.choice((1, 2, 3, 4, 8))
        i = self.places(x, m)
        y = self.emit(f"stablehlo.iota dim = 0 : {self.tensor((m,), 'i32')}", (m,), "i32")
        op, p, scalar = self.rng.choice(("add", "maximum", "minimum")), self.prefix + str(self.count), "tensor<i32>"
        return self.emit(
            f'"stablehlo.scatter"({x.name}, {i.name}, {y.name}) <{{scatter_dimension_numbers = #stablehlo.scatter<'
            f"inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = {self.rng.choice(([0, 1], [1, 0]))}, "
            f"index_vector_dim = 1>}}> ({{\n    ^bb0(%{p}l: {scalar}, %{p}r: {scalar}):\n"
            f"      %{p}s = stablehlo.{op} %{p}l, %{p}r : {scalar}\n      stablehlo.return %{p}s : {scalar}\n    }}) : "
            f"({x.type}, {i.type}, {y.type}) -> {x.type}", x.shape, "i32")

    # --- Reductions and joins ---
    def part(self, x, dim, start, limit):
        shape = list(x.shape)
        shape[dim] = limit - start
        text = ", ".join(f"{start}:{limit}" if d == dim else f"0:{s}" for d, s in enumerate(x.shape))
        return self.emit(f"stablehlo.slice {x.name} [{text}] : ({x.type}) -> {self.tensor(shape, x.element)}", shape,
                         x.element)

    def roll(self):
        """The end of a dimension in front of its beginning."""
        x = self.pick(rank=1)
        dim = self.rng.randrange(len(x.shape)) if x else 0
        if not x or x.shape[dim] < 2:
            return None
        at = self.rng.randint(1, x.shape[dim] - 1)
        end, start = self.part(x, dim, at, x.shape[dim]), self.part(x, dim, 0, at)
        return self.emit(f"stablehlo.concatenate {end.name}, {start.name}, dim = {dim} : ({end.type}, {start.type}) -> "
                         f"{x.type}", x.shape, x.element)

    def owned(self):
        """One element of a dimension."""
        x = self.pick(rank=1)
        if not x:
            return None
        dim = self.rng.randrange(len(x.shape))
        at = self.rng.randrange(x.shape[dim])
        return self.part(x, dim, at, at + 1)

    def reduce_bits(self):
        """Whether all or any, and the product, along a dimension."""
        x = self.pick("i32", rank=1)
        if not x:
            return None
        dim = self.rng.randrange(len(x.shape))
        shape = x.shape[:dim] + x.shape[dim + 1:]
        op, start = self.rng.choice((("and", -1), ("or", 0), ("multiply", 1), ("xor", 0)))
        init = self.constant(start, "i32")
        return self.emit(f"stablehlo.reduce({x.name} init: {init.name}) applies stablehlo.{op} across dimensions = [{dim}] "
                         f": ({x.type}, tensor<i32>) -> {self.tensor(shape, 'i32')}", shape, "i32")

    def join_three(self):
        x = self.pick(rank=1)
        if not x:
            return None
        dim, shape = self.rng.randrange(len(x.shape)), list(x.shape)
        shape[dim] *= 3
        return self.emit(f"stablehlo.concatenate {x.name}, {x.name}, {x.name}, dim = {dim} : ({x.type}, {x.type}, "
                         f"{x.type}) -> {self.tensor(shape, x.element)}", shape, x.element)
