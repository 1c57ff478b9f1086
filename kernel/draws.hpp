// Numbers that look drawn and are the same in every run.
#pragma once

#include <cstdint>

namespace biombo {

// Numbers from 0 to below 1, the same in every run.
class Draws {
public:
    explicit Draws(std::uint64_t seed = 0) : state_(seed * 0xbf58476d1ce4e5b9 + 0x9e3779b97f4a7c15) {
        if (state_ == 0) state_ = 1;
    }

    double next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<double>(state_ >> 11) * 0x1p-53;
    }

private:
    std::uint64_t state_;
};

}  // namespace biombo
