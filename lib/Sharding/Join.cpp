// Pieces of joined arrays, and the rounds in which they travel.
#include "tandem/Sharding/Join.h"

#include <algorithm>
#include <tuple>

#include "llvm/ADT/STLExtras.h"

namespace tandem {

namespace {

struct Piece {
  int64_t sender, receiver, from, to, length;

  bool continuesIn(const Piece &next) const {
    return sender == next.sender && receiver == next.receiver && from + length == next.from &&
           to + length == next.to;
  }
};

} // namespace

JoinPlan planJoin(llvm::ArrayRef<JoinedArray> arrays, int64_t tiles) {
  JoinPlan plan;
  for (const JoinedArray &array : arrays)
    plan.tile += array.size;
  plan.tile /= tiles;
  llvm::SmallVector<Piece> pieces;
  for (int64_t sender = 0; sender < tiles; ++sender) {
    int64_t begin = 0, mine = 0; // of the array: in the result, in what the sender has
    for (const JoinedArray &array : arrays) {
      int64_t part = array.isSplit ? array.size / tiles : array.size;
      int64_t first = begin + (array.isSplit ? sender * part : 0), end = first + part;
      int64_t low = array.isSplit ? first : std::max(first, sender * plan.tile);
      if (!array.isSplit)
        end = std::min(end, (sender + 1) * plan.tile);
      while (low < end) {
        int64_t receiver = low / plan.tile;
        int64_t high = std::min(end, (receiver + 1) * plan.tile);
        Piece piece{sender, receiver, mine + low - first, low - receiver * plan.tile, high - low};
        low = high;
        if (!pieces.empty() && pieces.back().continuesIn(piece))
          pieces.back().length += piece.length;
        else
          pieces.push_back(piece);
      }
      begin += array.size;
      mine += part;
    }
  }
  // The longest first, so that rounds are filled with pieces of one length.
  auto key = [](const Piece &piece) {
    return std::tuple(-piece.length, piece.sender, piece.receiver, piece.to);
  };
  llvm::sort(pieces, [&](const Piece &a, const Piece &b) { return key(a) < key(b); });
  for (const Piece &piece : pieces) {
    bool isLocal = piece.sender == piece.receiver;
    auto *round = llvm::find_if(plan.rounds, [&](const JoinPlan::Round &other) {
      return other.length == piece.length && other.isLocal == isLocal &&
             other.from[piece.sender] < 0 && other.to[piece.receiver] < 0;
    });
    if (round == plan.rounds.end()) {
      plan.rounds.emplace_back();
      round = &plan.rounds.back();
      round->length = piece.length;
      round->isLocal = isLocal;
      round->from.assign(tiles, -1);
      round->to.assign(tiles, -1);
      plan.sent += isLocal ? 0 : piece.length;
      plan.numSends += !isLocal;
    }
    round->pairs.push_back({piece.sender, piece.receiver});
    round->from[piece.sender] = piece.from;
    round->to[piece.receiver] = piece.to;
  }
  return plan;
}

} // namespace tandem
