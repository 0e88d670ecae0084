// Attributes of arguments and results, read and written all at once.
#include "tandem/IR/Tandem/FunctionAttrs.h"

using namespace mlir;

namespace tandem {

FunctionAttrs::FunctionAttrs(FunctionOpInterface func) : func(func) {
  for (unsigned index = 0; index < func.getNumArguments(); ++index)
    arguments.emplace_back(func.getArgAttrDict(index));
  for (unsigned index = 0; index < func.getNumResults(); ++index)
    results.emplace_back(func.getResultAttrDict(index));
}

void FunctionAttrs::apply() {
  auto dictionaries = [&](ArrayRef<NamedAttrList> lists) {
    SmallVector<DictionaryAttr> made;
    for (const NamedAttrList &list : lists)
      made.push_back(list.getDictionary(func->getContext()));
    return made;
  };
  func.setAllArgAttrs(dictionaries(arguments));
  func.setAllResultAttrs(dictionaries(results));
}

} // namespace tandem
