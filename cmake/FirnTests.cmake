# firn_test and firn_fuzz: how a test becomes one line in a directory's CMakeLists.txt.
include_guard()

if(CMAKE_CROSSCOMPILING)
    # Debian has these libraries for the host only; GoogleTest comes as sources, too. RapidCheck does not, so
    # what is drawn at random is tested on the host.
    find_path(FIRN_GOOGLETEST_SOURCES googlemock/CMakeLists.txt PATHS /usr/src/googletest NO_CMAKE_FIND_ROOT_PATH REQUIRED)
    set(INSTALL_GTEST OFF)
    add_subdirectory(${FIRN_GOOGLETEST_SOURCES} ${CMAKE_BINARY_DIR}/googletest EXCLUDE_FROM_ALL SYSTEM)
    set(firn_test_libraries GTest::gmock GTest::gtest_main)
else()
    find_package(GTest REQUIRED)
    find_package(rapidcheck REQUIRED)
    set(firn_test_libraries GTest::gmock GTest::gtest_main rapidcheck)
endif()
include(GoogleTest)

# firn_test(NAME name SOURCES file... [LIBS target...] [LABELS label...] [TIMEOUT seconds] [SERIAL] [TSAN])
#
# One GoogleTest executable; each of its tests is a test of ctest, under the label of its directory and those
# given. gmock and RapidCheck are linked. TIMEOUT: for a single test, 60 s unless given. SERIAL: runs while no
# other test runs (for tests that measure time). TSAN: besides, the same sources as <name>_tsan under
# ThreadSanitizer, so that every run of the tests looks for races; only firn::firn and firn::runtime may then
# be among LIBS. (Not when cross-building: an emulator runs no sanitizer.)
function(firn_test)
    cmake_parse_arguments(arg "SERIAL;TSAN" "NAME;TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 60)
    endif()
    get_filename_component(directory ${CMAKE_CURRENT_SOURCE_DIR} NAME)
    list(PREPEND arg_LABELS ${directory})

    firn_test_program(${arg_NAME} "${arg_LIBS}" "${FIRN_SANITIZE}")
    if(arg_TSAN AND NOT FIRN_SANITIZE AND NOT FIRN_FUZZ AND NOT CMAKE_CROSSCOMPILING)
        list(TRANSFORM arg_LIBS REPLACE "^firn::runtime$" firn_runtime_tsan)
        list(APPEND arg_LABELS tsan)
        firn_test_program(${arg_NAME}_tsan "${arg_LIBS}" thread)
        firn_instrument(${arg_NAME}_tsan thread)
    endif()
endfunction()

# Builds one target under a sanitizer that the preset as a whole does not use.
function(firn_instrument target sanitizer)
    target_compile_options(${target} PRIVATE -fsanitize=${sanitizer})
    target_link_options(${target} PRIVATE -fsanitize=${sanitizer})
    firn_set_emulator(${target} ${sanitizer})
endfunction()

# How ctest starts a program of that sanitizer.
function(firn_set_emulator target sanitizer)
    if("${sanitizer}" MATCHES thread)
        set_target_properties(${target} PROPERTIES CROSSCOMPILING_EMULATOR ${firn_SOURCE_DIR}/tools/tsan-run)
    endif()
endfunction()

# One program of firn_test, whose arguments it sees. Sanitizers and emulators are slow, so the time-out stretches
# with them.
function(firn_test_program name libs sanitizer)
    firn_executable(NAME ${name} SOURCES ${arg_SOURCES}
                    LIBS ${libs} firn::firn ${firn_test_libraries})
    set(timeout ${arg_TIMEOUT})
    if(CMAKE_CROSSCOMPILING)
        target_compile_definitions(${name} PRIVATE FIRN_EMULATED)
    endif()
    if(sanitizer OR CMAKE_CROSSCOMPILING)
        math(EXPR timeout "${timeout} * 5")
    endif()
    firn_set_emulator(${name} "${sanitizer}")
    # RapidCheck draws the same cases at every run; run the program itself to draw others.
    set(properties TIMEOUT ${timeout} ENVIRONMENT RC_PARAMS=seed=7)
    if(arg_SERIAL)
        list(APPEND properties RUN_SERIAL TRUE)
    endif()
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                         TEST_PREFIX "${name}." PROPERTIES ${properties})
    # gtest_discover_tests takes no property that is a list, so ctest sets this one after the discovery.
    set(labels_file ${CMAKE_CURRENT_BINARY_DIR}/${name}_labels.cmake)
    file(WRITE ${labels_file}
         "if(${name}_TESTS)\n"
         "  set_tests_properties(\${${name}_TESTS} PROPERTIES LABELS \"${arg_LABELS}\")\n"
         "endif()\n")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${labels_file})
endfunction()

# Everything that `tools/fuzz` runs.
add_custom_target(fuzz_targets)

# firn_fuzz(NAME name [SOURCES file...] [LIBS target...] [SEEDS directory])
#
# name.cpp (or SOURCES) defines LLVMFuzzerTestOneInput. Under the fuzz preset it becomes a libFuzzer
# program; under any other, a driver that replays every file of the seed directory (seeds/<name> unless
# given) as one test of ctest, so that no found input is forgotten.
function(firn_fuzz)
    cmake_parse_arguments(arg "" "NAME;SEEDS" "SOURCES;LIBS" ${ARGN})
    if(NOT arg_SOURCES)
        set(arg_SOURCES ${arg_NAME}.cpp)
    endif()
    if(NOT arg_SEEDS)
        set(arg_SEEDS ${CMAKE_CURRENT_SOURCE_DIR}/seeds/${arg_NAME})
    endif()
    if(FIRN_FUZZ)
        firn_executable(NAME ${arg_NAME} SOURCES ${arg_SOURCES} LIBS ${arg_LIBS} firn::firn)
        target_link_options(${arg_NAME} PRIVATE -fsanitize=fuzzer)
        set(replay -runs=0)
    else()
        firn_executable(NAME ${arg_NAME} SOURCES ${arg_SOURCES} ${firn_SOURCE_DIR}/tests/fuzz/replay.cpp
                        LIBS ${arg_LIBS} firn::firn)
    endif()
    add_dependencies(fuzz_targets ${arg_NAME})
    add_test(NAME fuzz.${arg_NAME} COMMAND ${arg_NAME} ${replay} ${arg_SEEDS})
    set_tests_properties(fuzz.${arg_NAME} PROPERTIES TIMEOUT 60 LABELS fuzz)
endfunction()
