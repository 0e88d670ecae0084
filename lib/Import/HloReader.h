// The recursive-descent reader of HLO text, in parts: tokens and the frame of a module
// (HloReader.cpp), values of attributes (HloValues.cpp), literals (HloLiterals.cpp).
#pragma once

#include "HloOpcodes.h"
#include "tandem/Import/Hlo.h"
#include "tandem/Import/HloText.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

namespace tandem::hlo {

// Every parse function returns true on an error, which is then set.
class Reader {
public:
  explicit Reader(Module &module)
      : module(module), cursor(module.getText().begin()), end(module.getText().end()) {}

  bool parseModule();
  llvm::Error takeError() { return errorAt(module, errorPosition, errorMessage); }

private:
  // ---- tokens; each skips blank space and comments before it
  bool fail(const char *position, const llvm::Twine &message);
  bool failHere(const llvm::Twine &expected); // expected X, found Y
  void skipBlank();
  char peek() {
    skipBlank();
    return cursor < end ? *cursor : '\0';
  }
  bool consumeIf(char c);
  bool expect(char c, const char *where);
  bool consumeWord(StringRef word); // the word stands here and ends
  StringRef takeName();             // empty: none here
  bool parseName(StringRef &name, const char *what);
  bool parseInt(int64_t &value);
  bool parseInts(llvm::SmallVectorImpl<int64_t> &values, char open, char close);
  bool parseInts(ArrayRef<int64_t> &values, char open, char close);
  bool parseQuoted(StringRef &inner);
  bool parseBalanced(StringRef &text); // brackets, strings or one word
  bool enter();                        // one level deeper
  void leave() { --depth; }

  // ---- the frame
  bool parseHeader();
  bool parseTables();
  bool parseComputation();
  bool parseSignature(Computation &computation,
                      llvm::SmallVectorImpl<std::pair<StringRef, const Shape *>> &signature);
  bool parseInstruction(Computation &computation);
  bool parseArguments(Instruction &instruction);
  bool parseOperand(llvm::SmallVectorImpl<Instruction *> &operands);
  bool parseAttributes(Attributes &owner, bool header);
  bool finishComputation(Computation &computation);
  bool resolveCalls();

  // ---- values
  bool parseShape(const Shape *&shape);
  bool parseLayout(const Layout *&layout);
  bool parseValue(StringRef name, bool header, Value &value);
  bool parseBraced(StringRef name, Value &value);
  bool parseCalled(StringRef name, bool braced, Value &value);
  bool parsePredecessors(Value &value);
  bool parseDict(bool spaced, Value &value);
  bool parseReplicaGroups(Value &value);
  bool parseMeshGroups(ReplicaGroups &groups);
  bool parseIota(IotaList &iota);
  bool parseSharding(Sharding &sharding);
  bool parseShardingBody(Sharding &sharding);
  bool parseWindow(Value &value);
  bool parseWindowField(StringRef field, llvm::SmallVectorImpl<WindowDim> &dims);
  bool parseSlices(Value &value);
  bool parsePadding(Value &value);
  bool parseConvDims(Value &value);
  bool parseAliases(bool header, Value &value);
  bool parseDonors(Value &value);
  bool parsePairs(Value &value);
  bool parseProgramLayout(Value &value);
  bool parseShapes(Value &value);

  // ---- literals
  bool parseLiteral(const Shape &shape, Literal &literal);
  bool parseElements(const Shape &shape, size_t dim, llvm::SmallVectorImpl<char> &bytes);
  bool parseElement(DType type, llvm::SmallVectorImpl<char> &bytes);
  bool parseReal(double &value);

  struct PendingCall {
    Computation **slot;
    StringRef name;
    const char *position;
  };
  struct PendingName {
    StringRef name;
    const char *position;
    StringRef user;
    bool isPredecessor;
  };

  Module &module;
  const char *cursor, *end;
  const char *errorPosition = nullptr;
  std::string errorMessage;
  int depth = 0;
  llvm::DenseMap<StringRef, const Shape *> shapes; // of arrays, by their text
  llvm::DenseMap<StringRef, const Layout *> layouts;
  llvm::DenseMap<StringRef, Instruction *> names; // of the computation being read
  llvm::DenseMap<StringRef, Computation *> computations;
  std::vector<PendingCall> pendingCalls;
  std::vector<PendingName> missing; // names that were not defined when they were used
  StringRef current;                // name of the instruction being read
};

} // namespace tandem::hlo
