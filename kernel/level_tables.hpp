// Tables of distinct rows, and the same rows with one column at each of its levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "buffer.hpp"
#include "roll_up.hpp"

namespace biombo {

// Distinct rows, sorted.
template <int W>
struct RowTable {
    const Row<W>* rows = nullptr;
    std::size_t n = 0;
};

template <int W>
class LevelTables {
public:
    LevelTables() = default;
    explicit LevelTables(const RowTable<W>& lowest) : lowest_(lowest) {}

    // Brings a column, up to and with which `up_to` are the bits, from level 0 to all levels that `up` leads to as far as
    // `highest`. The table itself must stay.
    void make(const RowTable<W>& lowest, const Field& field, const std::vector<std::vector<std::uint32_t>>& up,
              const Row<W>& up_to, int highest, RollUp<W>& roll_up) {
        lowest_ = lowest;
        highest_ = highest;
        if (above_.size() < up.size()) above_.resize(up.size());
        for (int level = 0; level < highest; ++level) {
            const RowTable<W> below = at(level);
            Level& next = above_[level];
            next.n = roll_up.run(below.rows, below.n, field, up[level], up_to, next.rows.reserve(below.n));
        }
    }

    RowTable<W> at(int level) const {
        return level == 0 ? lowest_ : RowTable<W>{above_[level - 1].rows.data(), above_[level - 1].n};
    }

    int highest() const { return highest_; }

    // Gives back what memory the tables do not fill.
    void shrink() {
        for (int level = 0; level < highest_; ++level) above_[level].rows.shrink(above_[level].n);
    }

private:
    struct Level {
        Buffer<W> rows;
        std::size_t n = 0;
    };

    RowTable<W> lowest_;
    int highest_ = 0;
    std::vector<Level> above_;  // per level above 0
};

}  // namespace biombo
