// Passes that order ops and put them on streams.
#ifndef TANDEM_PASSES_SCHEDULE_PASSES
#define TANDEM_PASSES_SCHEDULE_PASSES

include "mlir/Pass/PassBase.td"

def LatencyHidingSchedulePass : Pass<"tandem-latency-hiding-schedule", "mlir::ModuleOp"> {
  let summary = "order ops so that communication hides behind computation";
  let description = [{
    Requires: the state after tandem-insert-copies.

    Ensures: block order is a topological order of the dependences (SSA, tokens, bytes)
    in every function, loop and case body, innermost first; the order is the fastest, by
    the event simulation of the cost model, of the orders tried, the program's own
    included, whose live bytes stay under the cap: what the module's
    `tandem.memory_limit`, if set, leaves beside the arguments and beside what is live around
    an inner block. If none does, the one that needs fewest. An order that takes up to 5 % longer
    is preferred when each hundredth of the step saves more than two of the peak. The same
    module gives the same order.

    Copies that some orders do without are charged to those that need them (DESIGN.md, D1).
    With the module attribute `tandem.copy_region_analysis = "on"` they are saved by edges
    instead, before any order is looked at; `tandem.ordered_after` on the op that has to wait
    lists triples: the place in the block of the op it waits for, the bytes of the copy that
    is saved, and the picoseconds that the copy's edges cost. With `off` every copy is charged to every order.

    Does not: insert, remove or move ops between blocks.

    Example:
    ```mlir
    // before
    %f = tandem.start(%a = %x : ...) ...
    %y = tandem.done %f : ...
    %k = tandem.kernel(%b = %z : ...) ...
    // after
    %f = tandem.start(%a = %x : ...) ...
    %k = tandem.kernel(%b = %z : ...) ...
    %y = tandem.done %f : ...
    ```

    Cost: near linear in ops; 100,000 ops take seconds.
  }];
  let statistics = [
    Statistic<"numReordered", "blocks-reordered", "blocks whose order was changed">,
    Statistic<"numKept", "blocks-kept", "blocks whose order was the best one">,
    Statistic<"numEdges", "copy-edges", "edges that only save a copy">
  ];
}

def AssignStreamsPass : Pass<"tandem-assign-streams", "mlir::ModuleOp"> {
  let summary = "put every op on a stream";
  let description = [{
    Requires: the state after phase 5.

    Ensures: `tandem.stream` on every op directly in a function, loop or case body: a
    start of collectives on `communication N`, N the innermost link level that joins its
    groups; a start of a copy on `copy`; everything else on `compute`.

    Does not: change the order. A done is on `compute`: it holds no work, its consumers
    wait.

    Example: `tandem.start ... attributes {tandem.stream = #tandem.stream<communication 0>}`.

    Cost: linear.
  }];
  let dependentDialects = ["tandem::TandemDialect"];
  let statistics = [
    Statistic<"numCommunication", "communication", "starts on communication streams">
  ];
}

def VerifySchedulePass : Pass<"tandem-verify-schedule", "mlir::ModuleOp"> {
  let summary = "prove that every read sees its value, streams and reuse of bytes included";
  let description = [{
    Requires: the state after phase 6.

    Ensures: every op has a stream, every value a buffer inside its arena. Replaying the
    program in issue order, loops twice, each read finds in its bytes the value it names:
    no op writes bytes that a start in flight reads or writes, none writes bytes whose
    value is still needed, and constants and arguments that are not donated are never
    written. Otherwise an error on the reading (or writing) op names the op that
    overwrote the bytes.

    Does not: change the module. That streams keep to this order is not a matter of
    checking: phase 7 derives the waits between them from the same bytes.

    Example: a kernel placed between a start and its done, whose result has the bytes of
    the start's operand: "writes bytes that the collective started here still reads".

    Cost: linear in ops, times two per level of loop.
  }];
}

#endif // TANDEM_PASSES_SCHEDULE_PASSES
