// Groups by whole combinations of levels: one combination after the other is tried, that which loses the least first, and
// cells that are alike there and together what a group must be stay together. So the groups that lose little come first.
//
// Where there are too many combinations, levels that lose almost what the next one does are passed over.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "parallel.hpp"
#include "recoding_space.hpp"

namespace biombo {

class LevelSweep {
public:
    using Cells = std::vector<std::uint32_t>;

    // `sizes` are by cell; cells without records are in no group.
    LevelSweep(const RecodingSpace& space, const std::vector<std::uint64_t>& sizes, Monitor& monitor)
        : space_(space), sizes_(sizes), monitor_(monitor) {
        for (std::uint32_t cell = 0; cell < space.cells(); ++cell)
            if (sizes[cell] > 0) left_.push_back(cell);
        for (std::size_t column = 0; column < space.columns(); ++column) columns_.emplace_back(space, column);
        while (combinations() > most_combinations && pass_over_a_level()) {
        }
    }

    // Groups of at least `k` records that `meets` says are what they must be. Who is in none of them is left over.
    template <class Meets>
    std::vector<Cells> groups(std::uint64_t k, const Meets& meets) {
        std::vector<Cells> found;
        if (combinations() > most_combinations) return found;
        const std::vector<Combination> tried = in_order_of_loss();
        double affordable = work(left_.size());
        for (std::size_t next = 0; next < tried.size() && !left_.empty();) {
            monitor_.check();
            const auto here = static_cast<double>(left_.size());
            if (here > affordable) break;
            part(tried[next].levels, k, meets, found);
            affordable -= here;
            // As a rule most cells find their group soon; where they do not, combinations are passed over.
            const double passed_over = here * static_cast<double>(tried.size() - next) / (soon * std::max(affordable, 1.0));
            next += 1 + static_cast<std::size_t>(passed_over);
        }
        return found;
    }

private:
    static constexpr double most_combinations = 1 << 14;
    static constexpr double soon = 16;

    struct Column {
        std::vector<std::uint8_t> levels;  // those that are tried
        std::vector<double> loss;          // by level: the mean over cells
        std::vector<std::uint64_t> key;    // per code and level: the same for codes that are alike

        Column(const RecodingSpace& space, std::size_t column) : levels(space.levels(column)), loss(space.levels(column)) {
            std::iota(levels.begin(), levels.end(), std::uint8_t{0});
            for (std::uint32_t cell = 0; cell < space.cells(); ++cell)
                for (std::uint8_t level : levels) loss[level] += space.cost(column, space.codes(cell)[column], level);
            for (double& each : loss) each /= static_cast<double>(std::max<std::size_t>(space.cells(), 1));
            for (std::uint32_t code = 0; code < space.values(column); ++code)
                for (std::uint8_t level : levels) key.push_back(mixed(column, level, space.group(column, code, level)));
        }

        static std::uint64_t mixed(std::size_t column, std::uint8_t level, std::uint32_t group) {
            std::uint64_t x = (static_cast<std::uint64_t>(group) << 24) + (column << 8) + level + 0x9e3779b97f4a7c15;
            x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
            x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
            return x ^ (x >> 31);
        }
    };

    struct Combination {
        double loss;
        std::vector<std::uint8_t> levels;
    };

    struct Slot {
        std::uint64_t key = 0;
        std::uint64_t size = 0;
        std::uint32_t group = none;
    };

    static constexpr std::uint32_t none = UINT32_MAX, refused = UINT32_MAX - 1;

    const RecodingSpace& space_;
    const std::vector<std::uint64_t>& sizes_;
    Monitor& monitor_;
    std::vector<Column> columns_;
    Cells left_;
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> slot_of_;  // by place in `left_`

    // How many cells may be looked at, one combination after the other: less for each where there are many.
    static double work(std::size_t cells) {
        const auto all = static_cast<double>(cells);
        return std::min(1500 * all, 3e7 + 150 * all);
    }

    double combinations() const {
        double product = 1;
        for (const Column& column : columns_) product *= static_cast<double>(column.levels.size());
        return product;
    }

    // Of the column with the most levels, neither the lowest nor the highest.
    bool pass_over_a_level() {
        auto& column = *std::max_element(columns_.begin(), columns_.end(),
                                         [](const Column& a, const Column& b) { return a.levels.size() < b.levels.size(); });
        if (column.levels.size() < 3) return false;
        std::size_t least = 1;
        const auto step = [&](std::size_t i) { return column.loss[column.levels[i + 1]] - column.loss[column.levels[i]]; };
        for (std::size_t i = 2; i + 1 < column.levels.size(); ++i)
            if (step(i) < step(least)) least = i;
        column.levels.erase(column.levels.begin() + static_cast<std::ptrdiff_t>(least));
        return true;
    }

    std::vector<Combination> in_order_of_loss() const {
        std::vector<Combination> all = {{0, {}}};
        for (const Column& column : columns_) {
            std::vector<Combination> longer;
            for (const Combination& each : all)
                for (std::uint8_t level : column.levels) {
                    longer.push_back({each.loss + column.loss[level], each.levels});
                    longer.back().levels.push_back(level);
                }
            all = std::move(longer);
        }
        std::stable_sort(all.begin(), all.end(), [](const Combination& a, const Combination& b) { return a.loss < b.loss; });
        return all;
    }

    std::uint64_t key(std::uint32_t cell, const std::vector<std::uint8_t>& levels) const {
        const std::uint32_t* codes = space_.codes(cell);
        std::uint64_t sum = 0;
        for (std::size_t c = 0; c < columns_.size(); ++c) sum += columns_[c].key[codes[c] * space_.levels(c) + levels[c]];
        return sum;
    }

    template <class Meets>
    void part(const std::vector<std::uint8_t>& levels, std::uint64_t k, const Meets& meets, std::vector<Cells>& found) {
        if (!count(levels, k)) return;
        const std::size_t before = found.size();
        for (std::size_t i = 0; i < left_.size(); ++i) {
            Slot& slot = slots_[slot_of_[i]];
            if (slot.size < k) continue;
            if (slot.group == none) {
                slot.group = static_cast<std::uint32_t>(found.size());
                found.emplace_back();
            }
            found[slot.group].push_back(left_[i]);
        }
        std::vector<std::uint32_t> place(found.size() - before, refused);
        std::size_t kept = before;
        for (std::size_t group = before; group < found.size(); ++group) {
            if (!meets(found[group])) continue;
            place[group - before] = static_cast<std::uint32_t>(kept);
            if (kept != group) found[kept] = std::move(found[group]);
            ++kept;
        }
        found.resize(kept);
        std::size_t open = 0;
        for (std::size_t i = 0; i < left_.size(); ++i) {
            const Slot& slot = slots_[slot_of_[i]];
            if (slot.group == none || place[slot.group - before] == refused) left_[open++] = left_[i];
        }
        left_.resize(open);
    }

    // The records of cells that are alike; is there a group of `k`?
    bool count(const std::vector<std::uint8_t>& levels, std::uint64_t k) {
        const std::size_t slots = std::bit_ceil(2 * left_.size());
        slots_.assign(slots, Slot{});
        slot_of_.clear();
        bool any = false;
        for (std::uint32_t cell : left_) {
            const std::uint64_t wanted = key(cell, levels);
            std::size_t at = (wanted >> 16) & (slots - 1);
            while (slots_[at].size > 0 && slots_[at].key != wanted) at = (at + 1) & (slots - 1);
            slots_[at].key = wanted;
            slots_[at].size += sizes_[cell];
            any = any || slots_[at].size >= k;
            slot_of_.push_back(static_cast<std::uint32_t>(at));
        }
        return any;
    }
};

}  // namespace biombo
