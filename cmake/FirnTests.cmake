# firn_test and firn_fuzz: how a test becomes one line in a directory's CMakeLists.txt.
include_guard()

find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
include(GoogleTest)

# firn_test(NAME name SOURCES file... [LIBS target...] [LABELS label...] [TIMEOUT seconds] [SERIAL])
#
# One GoogleTest executable; each of its tests is a test of ctest, under the label of its directory
# and those given. RapidCheck and gmock are linked. SERIAL: runs while no other test runs (for tests
# that measure time); TIMEOUT: per single test, 60 s unless given.
function(firn_test)
    cmake_parse_arguments(arg "SERIAL" "NAME;TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 60)
    endif()
    if(FIRN_SANITIZE)
        math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 5")
    endif()
    firn_executable(NAME ${arg_NAME} SOURCES ${arg_SOURCES}
                    LIBS ${arg_LIBS} firn::firn GTest::gmock GTest::gtest_main rapidcheck)
    get_filename_component(directory ${CMAKE_CURRENT_SOURCE_DIR} NAME)
    set(properties TIMEOUT ${arg_TIMEOUT} LABELS "${directory};${arg_LABELS}")
    if(arg_SERIAL)
        list(APPEND properties RUN_SERIAL TRUE)
    endif()
    gtest_discover_tests(${arg_NAME} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                         TEST_PREFIX "${arg_NAME}." PROPERTIES ${properties})
endfunction()

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
        set_property(GLOBAL APPEND PROPERTY firn_fuzz_targets ${arg_NAME})
    else()
        firn_executable(NAME ${arg_NAME} SOURCES ${arg_SOURCES} ${firn_SOURCE_DIR}/tests/fuzz/replay.cpp
                        LIBS ${arg_LIBS} firn::firn)
    endif()
    add_test(NAME fuzz.${arg_NAME} COMMAND ${arg_NAME} $<$<BOOL:${FIRN_FUZZ}>:-runs=0> ${arg_SEEDS})
    set_tests_properties(fuzz.${arg_NAME} PROPERTIES TIMEOUT 60 LABELS fuzz)
endfunction()
