// Which argument or result each collective of a schedule serves, by dataflow.
//
//   nameArrays(schedule);   // fills CollectiveInfo::array where it is empty
//
// Gathers, permutes and exchanges are followed back to the nearest argument, reductions forward to
// the nearest result, through loops by position; arrays of a few bytes (indices) are not followed.
// Breadth first and bounded, so that a name is always a near one.
#pragma once

#include "tandem/Cost/Schedule.h"

namespace tandem {

void nameArrays(Schedule &schedule);
// Fills the places of items whose sources are MLIR operations.
void describePlaces(Schedule &schedule);

} // namespace tandem
