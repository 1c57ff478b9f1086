// Work that may be cut short and done again exactly so far: the clock says when to stop, and how many steps were made by
// then is what another run is told.
#pragma once

#include <cstddef>
#include <cstdint>

#include "parallel.hpp"

namespace biombo {

class CountedSteps {
public:
    CountedSteps(std::uint64_t most, const Monitor& monitor) : most_(most), monitor_(monitor) {}

    // Is there to be another step? Once there is none, there is none any more.
    bool go_on() {
        is_over_ = is_over_ || done_ >= most_ || monitor_.expired();
        return !is_over_;
    }

    void count(std::size_t steps = 1) { done_ += steps; }
    std::uint64_t done() const { return done_; }
    bool are_over() const { return is_over_; }

private:
    std::uint64_t most_, done_ = 0;
    const Monitor& monitor_;
    bool is_over_ = false;
};

}  // namespace biombo
