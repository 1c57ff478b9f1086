// The rows of a table by group, where groups are split by one column after another.
//
// On the way down a lattice groups are only ever split: a row needs the number of its group and its own code. So the nodes
// just below a node are each one pass over the rows, from the groups of that node, and no table is made for any of them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "lattice_question.hpp"
#include "level_tables.hpp"
#include "row.hpp"

namespace biombo {

// Per column and level: the code there of each code at level 0, and how many codes there are.
class LevelCodes {
public:
    explicit LevelCodes(const std::vector<Steps>& steps) {
        for (const Steps& column : steps) {
            auto& levels = code_there_.emplace_back();
            auto& codes = levels.emplace_back(column.share[0].size());
            for (std::size_t code = 0; code < codes.size(); ++code) codes[code] = static_cast<std::uint32_t>(code);
            for (const auto& up : column.up) {
                auto next = levels.back();
                for (auto& code : next) code = up[code];
                levels.push_back(std::move(next));
            }
            auto& number = numbers_.emplace_back();
            for (const auto& share : column.share) number.push_back(share.size());
        }
    }

    const std::vector<std::uint32_t>& there(std::size_t column, int level) const { return code_there_[column][level]; }
    std::size_t number(std::size_t column, int level) const { return numbers_[column][level]; }

private:
    std::vector<std::vector<std::vector<std::uint32_t>>> code_there_;
    std::vector<std::vector<std::size_t>> numbers_;
};

template <int W>
class Splitting {
public:
    Splitting(const RowTable<W>& table, const Records& count) : table_(table), count_(count) {
        if (table.n >= nobody) throw std::length_error("more distinct rows than can be numbered");
    }

    // All rows in one group.
    void join() {
        group_.assign(table_.n, 0);
        size_.assign(table_.n > 0, 0);
        first_.assign(table_.n > 0, 0);
        for (std::size_t row = 0; row < table_.n; ++row) size_[0] += count_.get(table_.rows[row]);
    }

    // The groups of `whole`, which may be these, split by the codes that a column has at a level.
    void split(const Splitting& whole, const Field& field, const std::vector<std::uint32_t>& code_there, std::size_t codes) {
        const std::uint64_t places = static_cast<std::uint64_t>(whole.size_.size()) * codes;
        const auto code = [&](std::size_t row) { return code_there[field.get(table_.rows[row])]; };
        if (places <= std::max<std::uint64_t>(4 * table_.n, 1 << 12)) {
            by_place_.assign(places, nobody);
            number([&](std::size_t row) -> std::uint32_t& { return by_place_[whole.group_[row] * codes + code(row)]; });
        } else {
            clear_hashed();
            number([&](std::size_t row) -> std::uint32_t& { return hashed(whole.group_[row] * codes + code(row)); });
        }
    }

    std::size_t groups() const { return size_.size(); }
    std::uint64_t size(std::size_t group) const { return size_[group]; }
    const Row<W>& row_of(std::size_t group) const { return table_.rows[first_[group]]; }

    // How many records are in groups of fewer than `k`.
    std::uint64_t below(std::uint64_t k) const {
        std::uint64_t records = 0;
        for (const std::uint64_t size : size_) records += size < k ? size : 0;
        return records;
    }

    // The rows, those of a group side by side; `begins` says where each group does, and where the last one ends.
    void side_by_side(std::vector<Row<W>>& rows, std::vector<std::size_t>& begins) const {
        begins.assign(groups() + 2, 0);
        for (const std::uint32_t group : group_) ++begins[group + 2];
        for (std::size_t group = 2; group < begins.size(); ++group) begins[group] += begins[group - 1];
        rows.resize(table_.n);
        for (std::size_t row = 0; row < table_.n; ++row) rows[begins[group_[row] + 1]++] = table_.rows[row];
    }

private:
    static constexpr std::uint32_t nobody = ~std::uint32_t{0};

    struct Slot {
        std::uint64_t key;
        std::uint32_t group;
    };

    RowTable<W> table_;
    Records count_;
    std::vector<std::uint32_t> group_;     // per row
    std::vector<std::uint64_t> size_;      // per group: its records
    std::vector<std::uint32_t> first_;     // per group: its first row
    std::vector<std::uint64_t> next_size_;   // those of the groups that are being made
    std::vector<std::uint32_t> next_first_;
    std::vector<std::uint32_t> by_place_;  // the new group by old one and code, where these are few
    std::vector<Slot> slots_;              // the same as a hash table
    int shift_ = 0;

    // Numbers the groups by their first rows; `place` is where the number of a row's group is kept.
    template <class Place>
    void number(const Place& place) {
        next_size_.clear();
        next_first_.clear();
        group_.resize(table_.n);
        for (std::size_t row = 0; row < table_.n; ++row) {
            std::uint32_t& group = place(row);
            if (group == nobody) {
                group = static_cast<std::uint32_t>(next_size_.size());
                next_size_.push_back(0);
                next_first_.push_back(static_cast<std::uint32_t>(row));
            }
            group_[row] = group;
            next_size_[group] += count_.get(table_.rows[row]);
        }
        size_.swap(next_size_);
        first_.swap(next_first_);
    }

    void clear_hashed() {
        const std::size_t room = std::bit_ceil(2 * table_.n);
        shift_ = 64 - std::countr_zero(room);
        slots_.assign(room, Slot{0, nobody});
    }

    std::uint32_t& hashed(std::uint64_t key) {
        constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;
        std::size_t at = key * golden >> shift_;
        while (slots_[at].group != nobody && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
        slots_[at].key = key;
        return slots_[at].group;
    }
};

// The groups of a splitting one after the other, with the codes that they have at the levels of a node.
template <int W>
class SplitGroups {
public:
    // Rows are only brought side by side where somebody looks at them.
    SplitGroups(const Splitting<W>& splitting, const Layout& layout, const LevelCodes& codes, const std::vector<int>& levels,
                bool with_rows)
        : splitting_(splitting), layout_(layout), codes_(codes), levels_(levels) {
        if (with_rows) splitting.side_by_side(rows_, begins_);
    }

    bool next() { return ++group_ < splitting_.groups(); }
    std::uint64_t size() const { return splitting_.size(group_); }
    const Row<W>* first() const { return rows_.data() + begins_[group_]; }
    const Row<W>* end() const { return rows_.data() + begins_[group_ + 1]; }

    Row<W> codes() const {
        Row<W> found{};
        const Row<W>& row = splitting_.row_of(group_);
        for (std::size_t column = 0; column < levels_.size(); ++column) {
            const Field& field = layout_.quasi[column];
            field.put(found, codes_.there(column, levels_[column])[field.get(row)]);
        }
        return found;
    }

private:
    const Splitting<W>& splitting_;
    const Layout& layout_;
    const LevelCodes& codes_;
    const std::vector<int>& levels_;
    std::size_t group_ = ~std::size_t{0};
    std::vector<Row<W>> rows_;
    std::vector<std::size_t> begins_;
};

}  // namespace biombo
