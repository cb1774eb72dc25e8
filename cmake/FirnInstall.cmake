# What a package of firn holds. Two components: `devel` (headers, the runtime, find_package and pkg-config
# files) and `command` (the program).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(firn_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/firn)

install(TARGETS firn_core firn_runtime EXPORT firn-targets COMPONENT devel
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT devel
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT devel)
install(EXPORT firn-targets NAMESPACE firn:: DESTINATION ${firn_cmake_dir} COMPONENT devel)

configure_package_config_file(cmake/firn-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/firn-config.cmake
                              INSTALL_DESTINATION ${firn_cmake_dir} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change what a caller sees.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/firn-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/firn-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/firn-config-version.cmake
        DESTINATION ${firn_cmake_dir} COMPONENT devel)

# The way from the .pc files to the prefix, so that an installed tree can be moved.
file(RELATIVE_PATH firn_pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
foreach(name firn firn-runtime)
    configure_file(cmake/${name}.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT devel)
endforeach()

if(FIRN_COMMAND)
    install(TARGETS firn RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
endif()
