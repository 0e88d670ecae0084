set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Installed tools find the LLVM and MLIR libraries where the build found them.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

option(TANDEM_BUILD_TESTS "Build the gtest binaries and register the lit suites" ON)
option(TANDEM_BUILD_BENCHMARKS "Build the benchmark binaries" OFF)
option(TANDEM_PCH "Share one precompiled header among the libraries that use MLIR" ON)
set(TANDEM_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined")
set(TANDEM_SANITIZE_RUNTIME "" CACHE STRING "Sanitizers for the runtime and its tests alone, e.g. thread")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

find_program(TANDEM_CCACHE ccache)
if(TANDEM_CCACHE)
  # The base directory makes cache hits independent of where the tree lies.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
                                  CCACHE_NOHASHDIR=1
                                  CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
                                  ${TANDEM_CCACHE})
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter)
if(TANDEM_SANITIZE)
  add_compile_options(-fsanitize=${TANDEM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TANDEM_SANITIZE})
  # The standard library's own checks too: they find what lies inside a live object.
  add_compile_definitions(TANDEM_SANITIZED _GLIBCXX_ASSERTIONS)
endif()
if(TANDEM_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Without the time stamp the same headers give the same bytes, so that ccache can hit.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
add_link_options(-fuse-ld=lld)
