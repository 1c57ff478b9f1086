// The subsets of the quasi columns as a tree: a node's children add one column that comes later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace biombo {

// Nodes are numbered from the root (the empty subset) in depth-first order, so a subtree is a range of numbers.
class SubsetTree {
public:
    SubsetTree(int columns, int max_size) : columns_(columns), max_size_(max_size) {
        size_.assign(columns + 1, std::vector<std::uint64_t>(max_size + 1, 1));
        for (int later = 1; later <= columns; ++later)
            for (int left = 1; left <= max_size; ++left)
                size_[later][left] = std::min(size_[later - 1][left] + size_[later - 1][left - 1], std::uint64_t{1} << 62);
    }

    int columns() const { return columns_; }
    int max_size() const { return max_size_; }
    std::uint64_t nodes() const { return subtree(columns_, max_size_); }

    // The nodes of a subtree whose root may take `left` more of `later` columns.
    std::uint64_t subtree(int later, int left) const { return size_[later][left]; }

    // Calls `visit(node, parent, subset)` for every node in order; bit i of a subset is column i.
    template <class Visit>
    void each(const Visit& visit) const {
        visit(0, 0, 0);
        below(0, 0, 0, max_size_, visit);
    }

    // The subset of every node, by its number.
    std::vector<std::uint64_t> subsets() const {
        std::vector<std::uint64_t> result(nodes());
        each([&](std::uint64_t node, std::uint64_t, std::uint64_t subset) { result[node] = subset; });
        return result;
    }

private:
    int columns_;
    int max_size_;
    std::vector<std::vector<std::uint64_t>> size_;

    template <class Visit>
    void below(std::uint64_t node, std::uint64_t subset, int column, int left, const Visit& visit) const {
        if (left == 0) return;
        std::uint64_t child = node + 1;
        for (; column < columns_; ++column) {
            const std::uint64_t larger = subset | std::uint64_t{1} << column;
            visit(child, node, larger);
            below(child, larger, column + 1, left - 1, visit);
            child += subtree(columns_ - 1 - column, left - 1);
        }
    }
};

}  // namespace biombo
