# What a package of firn contains: the headers, the runtime, find_package and pkg-config files.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS firn_core firn_runtime EXPORT firn-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT firn-targets NAMESPACE firn:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/firn)
