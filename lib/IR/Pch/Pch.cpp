// Carries the precompiled header of the libraries that use MLIR.
