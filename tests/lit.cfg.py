# lit's configuration of every textual test: what a test file is, and the tools it may call.
import os

import lit.formats

config.name = "Tandem"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
# Programs and their data, read by tests and fuzzers; the split parts of split-file.
config.excludes = ["corpus", "seeds", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.tandem_tests_build

# The build's tools first, then LLVM's (FileCheck, not, split-file).
path = [config.tandem_bin, config.llvm_bin, config.environment.get("PATH", "")]
config.environment["PATH"] = os.pathsep.join(path)

# What was compiled stays with the build.
config.environment["TANDEM_CACHE_DIR"] = os.path.join(config.test_exec_root, "kernel-cache")

config.substitutions.append(("%corpus", os.path.join(config.test_source_root, "corpus")))
config.substitutions.append(("%tests", config.test_source_root))
config.substitutions.append(("%python", '"' + config.python + '"'))

# Tools that a build may lack are features, so that a test can say that it needs them.
for tool in ("tandem", "tandem-opt"):
    if os.path.exists(os.path.join(config.tandem_bin, tool)):
        config.available_features.add(tool)
