# The Debian package of the command: `cpack -G DEB` in a build directory of the release preset.
include_guard()
include(GNUInstallDirs)

install(FILES deploy/man/firn-serve.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
install(FILES deploy/prometheus/firn-alerts.yml deploy/grafana/firn.json deploy/systemd/firn.socket
        DESTINATION ${CMAKE_INSTALL_DATADIR}/firn COMPONENT command)
# Places outside of the prefix belong to a system, not to somebody's home.
install(FILES deploy/systemd/firn.service DESTINATION /lib/systemd/system COMPONENT package EXCLUDE_FROM_ALL)
install(FILES deploy/firn.conf DESTINATION /etc/firn COMPONENT package EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME firn)
set(CPACK_PACKAGE_VERSION ${firn_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${firn_DESCRIPTION}")
set(CPACK_PACKAGE_CONTACT "the authors of firn <firn@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
# One package of two components: the command, and what only a system takes.
set(CPACK_COMPONENTS_ALL command package)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
    ${firn_SOURCE_DIR}/deploy/debian/conffiles;${firn_SOURCE_DIR}/deploy/debian/postinst;${firn_SOURCE_DIR}/deploy/debian/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
