#include "lab/figures.hpp"

#include <gmock/gmock.h>

using namespace firn::lab;

TEST(figures, are_compared_in_the_digits_expected) {
    const figures f = {
        {"stalled_ms", fixed_figure{432'099, 6}}, {"count", fixed_figure{7, 0}}, {"share", 0.2189}};
    EXPECT_TRUE(check_figure(f, {"stalled_ms", "0.432"}).ok);
    EXPECT_TRUE(check_figure(f, {"stalled_ms", "0.432099"}).ok);
    EXPECT_FALSE(check_figure(f, {"stalled_ms", "0.4320"}).ok);
    EXPECT_FALSE(check_figure(f, {"stalled_ms", "0.433"}).ok);
    EXPECT_TRUE(check_figure(f, {"count", "7"}).ok);
    EXPECT_TRUE(check_figure(f, {"count", "7.00"}).ok);
    EXPECT_FALSE(check_figure(f, {"count", "8"}).ok);
    EXPECT_TRUE(check_figure(f, {"share", "0.22"}).ok);
    EXPECT_FALSE(check_figure(f, {"share", "0.218"}).ok);
}

TEST(figures, bounds_and_absence) {
    const figures f = {{"widest_ms", fixed_figure{999, 3}}, {"word", std::string{"x"}}};
    EXPECT_TRUE(check_figure(f, {"widest_ms", "<1"}).ok);
    EXPECT_FALSE(check_figure(f, {"widest_ms", "<0.999"}).ok);
    EXPECT_FALSE(check_figure(f, {"word", "<1"}).ok);
    EXPECT_FALSE(check_figure(f, {"absent", "<1"}).ok);
    EXPECT_FALSE(check_figure(f, {"absent", "0"}).ok);
    EXPECT_TRUE(check_figure(f, {"absent", "none"}).ok);
}
