// What is added up for each subset: groups and records by group size, and each target's top counts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace biombo {

// The smallest group of each size class: 1, 2, 3–4, 5–9, 10–19, 20–49, 50–99, 100 and more records.
inline constexpr std::array<std::uint64_t, 8> size_classes = {1, 2, 3, 5, 10, 20, 50, 100};

inline constexpr auto class_of_size = [] {
    std::array<std::uint8_t, size_classes.back() + 1> classes{};
    for (std::size_t size = 1; size < classes.size(); ++size)
        for (std::size_t c = 0; c < size_classes.size(); ++c)
            if (size >= size_classes[c]) classes[size] = static_cast<std::uint8_t>(c);
    return classes;
}();

class Tally {
public:
    static constexpr std::size_t classes = size_classes.size();

    Tally(std::size_t nodes, std::size_t targets) : stride_(2 * classes + targets), sums_(nodes * stride_) {}

    void add_group(std::size_t node, std::uint64_t size) {
        std::uint64_t* sums = of(node);
        const std::size_t c = class_of_size[size < size_classes.back() ? size : size_classes.back()];
        ++sums[c];
        sums[classes + c] += size;
    }

    void add_top(std::size_t node, int target, std::uint64_t count) { of(node)[2 * classes + target] += count; }

    void add(std::size_t node, const Tally& other, std::size_t other_node) {
        for (std::size_t i = 0; i < stride_; ++i) of(node)[i] += other.sums_[other_node * stride_ + i];
    }

    std::uint64_t groups(std::size_t node, std::size_t c) const { return sums_[node * stride_ + c]; }
    std::uint64_t records(std::size_t node, std::size_t c) const { return sums_[node * stride_ + classes + c]; }
    std::uint64_t top(std::size_t node, std::size_t target) const { return sums_[node * stride_ + 2 * classes + target]; }

private:
    std::size_t stride_;
    std::vector<std::uint64_t> sums_;

    std::uint64_t* of(std::size_t node) { return sums_.data() + node * stride_; }
};

}  // namespace biombo
