# The installed package: headers, static libraries, tools and the find_package files.
# A user says find_package(Tandem) and links tandem::TandemCompiler.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(TANDEM_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Tandem)
get_property(TANDEM_LIBRARIES GLOBAL PROPERTY TANDEM_LIBRARIES)
list(FILTER TANDEM_LIBRARIES EXCLUDE REGEX "Pch$")  # build-time only
get_property(TANDEM_TOOLS GLOBAL PROPERTY TANDEM_TOOLS)

if(TANDEM_LIBRARIES)
  install(TARGETS ${TANDEM_LIBRARIES} EXPORT TandemTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT TandemTargets NAMESPACE tandem:: DESTINATION ${TANDEM_CMAKE_DIR})
endif()
if(TANDEM_TOOLS)
  install(TARGETS ${TANDEM_TOOLS} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# The headers as written, then what TableGen and flatc made of them. Only the tree's own
# include folder is public: passes and runtime keep theirs private.
foreach(root ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  install(DIRECTORY ${root}/include/tandem DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "*.td"
          PATTERN "CMakeFiles" EXCLUDE)
endforeach()

configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/TandemConfig.cmake.in
  ${CMAKE_BINARY_DIR}/TandemConfig.cmake INSTALL_DESTINATION ${TANDEM_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/TandemConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/TandemConfig.cmake ${CMAKE_BINARY_DIR}/TandemConfigVersion.cmake
        ${CMAKE_SOURCE_DIR}/cmake/TandemDependencies.cmake
        DESTINATION ${TANDEM_CMAKE_DIR})
