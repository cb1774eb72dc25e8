#include "firn/version.hpp"

#include <gmock/gmock.h>

#include <string>

TEST(version, has_three_numbers) {
    EXPECT_THAT(std::string{firn::library_version}, testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}
