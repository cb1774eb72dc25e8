# How every target of this project is made, so that the CMakeLists.txt of a directory is a list of
# sources and libraries and nothing else.
include_guard()

find_package(Threads REQUIRED)

# Warnings, sanitizers and hygiene of our own code. Never part of what is installed.
add_library(firn_options INTERFACE)
target_compile_options(firn_options INTERFACE -Wall -Wextra -Wconversion -Wshadow)
if(FIRN_WERROR)
    target_compile_options(firn_options INTERFACE -Werror)
endif()
if(FIRN_SANITIZE)
    target_compile_options(firn_options INTERFACE
        -fsanitize=${FIRN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(firn_options INTERFACE -fsanitize=${FIRN_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        # Between its checks g++ 12 sees uninitialised members in the standard library's <regex>. It looks for
        # them in the other presets.
        target_compile_options(firn_options INTERFACE -Wno-maybe-uninitialized)
    endif()
endif()
if(FIRN_FUZZ)
    target_compile_options(firn_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

function(firn_common target scope)
    # No compiler extensions: what we accept, every C++20 compiler accepts.
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
    target_compile_features(${target} ${scope} cxx_std_20)
endfunction()

# firn_library(NAME name [SOURCES file...] [LIBS target...])
#
# An internal static library whose headers are included from the root of the tree:
# #include "lab/world.hpp". Without sources (headers only) it is an interface library.
function(firn_library)
    cmake_parse_arguments(arg "" "NAME" "SOURCES;LIBS" ${ARGN})
    if(arg_SOURCES)
        add_library(${arg_NAME} STATIC ${arg_SOURCES})
        target_link_libraries(${arg_NAME} PRIVATE firn_options)
        set(scope PUBLIC)
    else()
        add_library(${arg_NAME} INTERFACE)
        set(scope INTERFACE)
    endif()
    firn_common(${arg_NAME} ${scope})
    target_include_directories(${arg_NAME} ${scope} ${firn_SOURCE_DIR})
    target_link_libraries(${arg_NAME} ${scope} ${arg_LIBS})
endfunction()

# firn_executable(NAME name SOURCES file... [LIBS target...])
function(firn_executable)
    cmake_parse_arguments(arg "" "NAME" "SOURCES;LIBS" ${ARGN})
    add_executable(${arg_NAME} ${arg_SOURCES})
    firn_common(${arg_NAME} PRIVATE)
    target_include_directories(${arg_NAME} PRIVATE ${firn_SOURCE_DIR})
    target_link_libraries(${arg_NAME} PRIVATE firn_options ${arg_LIBS})
endfunction()
