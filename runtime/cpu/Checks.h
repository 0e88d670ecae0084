// Checks that a program makes of its own values: custom calls without results.
//
//   check.expect_eq (check.eq)   got equals want, element by element; NaN equals NaN
//   check.expect_close           units in the last place between them are at most
//                                "max_ulp_difference" (3) and at least "min_ulp_difference" (0)
//   check.expect_almost_eq       |got - want| <= "tolerance" (0.001)
//
// The operands are got and want, of one type. A check that does not hold ends the step with
// OutOfRange; its message has the first element that differs, and how many do.
#ifndef TANDEM_RUNTIME_CPU_CHECKS_H
#define TANDEM_RUNTIME_CPU_CHECKS_H

#include "runtime/cpu/CustomCalls.h"

namespace tandem::runtime {

void addChecks(CustomCallRegistry &registry);

} // namespace tandem::runtime

#endif
