// One step up a hierarchy, for all distinct rows of a table.
//
// Codes are given out so that a step keeps their order. Rows sorted by all columns therefore stay sorted before the column
// that takes the step: only runs that the step brings together must be merged, and each of their parts is sorted already.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "buffer.hpp"
#include "sort.hpp"

namespace biombo {

template <int W>
class RollUp {
public:
    // `all` are the bits of all columns and targets.
    RollUp(const Row<W>& all, const Field& count) : all_(all), count_(count) {}

    // Replaces the codes of one column by those of the next level and adds up rows that become equal. `before` are the
    // bits of the columns up to this one. `out`, which is another place, has room for all rows; says how many it wrote.
    std::size_t run(const Row<W>* rows, std::size_t n, const Field& field, const std::vector<std::uint32_t>& up,
                    const Row<W>& before, Row<W>* out) {
        field_word_ = field.word;
        Row<W> earlier = before;
        earlier.word[field.word] &= ~field.mask();
        Row<W>* next = out;
        for (std::size_t i = 0; i < n;) {
            const std::size_t head = i;
            const std::uint64_t code = up[field.get(rows[i])];
            parts_.clear();
            do {
                const std::size_t first = i;
                const std::uint64_t own = field.get(rows[i]);
                for (++i; i < n && equal_in(rows[i], rows[first], before); ++i) {
                }
                parts_.push_back({rows + first, rows + i, (code - own) << field.shift});
            } while (i < n && equal_in(rows[i], rows[head], earlier) && up[field.get(rows[i])] == code);
            next = merge_parts(next);
        }
        return static_cast<std::size_t>(next - out);
    }

private:
    // Sorted rows with the same code, and what is added to it.
    struct Part {
        const Row<W>* first;
        const Row<W>* end;
        std::uint64_t step;
    };

    Row<W> all_;
    Field count_;
    int field_word_ = 0;
    std::vector<Part> parts_;  // of the run of now
    Buffer<W> scratch_[2];

    Row<W> stepped(Row<W> row, std::uint64_t step) const {
        row.word[W == 1 ? 0 : field_word_] += step;
        return row;
    }

    Row<W>* copied(const Part& part, Row<W>* out) const {
        for (const Row<W>* row = part.first; row != part.end; ++row) *out++ = stepped(*row, part.step);
        return out;
    }

    // Merges neighbouring parts until one is left, which goes to `out`; says where it ends.
    Row<W>* merge_parts(Row<W>* out) {
        constexpr std::ptrdiff_t insertion_limit = 12;
        if (parts_.size() > 2 && parts_.back().end - parts_.front().first <= insertion_limit) {
            Row<W>* end = out;
            for (const Part& part : parts_) end = copied(part, end);
            const auto n = static_cast<std::size_t>(end - out);
            insertion_sort(out, n, all_);
            return out + merge_sorted(out, n, all_, count_);
        }
        for (int side = 0; parts_.size() > 2; side = 1 - side) {
            std::size_t rows = 0, merged_parts = 0;
            for (const Part& part : parts_) rows += static_cast<std::size_t>(part.end - part.first);
            Row<W>* to = scratch_[side].reserve(rows);
            for (std::size_t part = 0; part < parts_.size(); part += 2) {
                Row<W>* end = part + 1 < parts_.size() ? merged(parts_[part], parts_[part + 1], to) : copied(parts_[part], to);
                parts_[merged_parts++] = {to, end, 0};
                to = end;
            }
            parts_.resize(merged_parts);
        }
        return parts_.size() == 2 ? merged(parts_[0], parts_[1], out) : copied(parts_[0], out);
    }

    // Two parts into one; equal rows are added up as long as the sum fits its field.
    Row<W>* merged(const Part& one, const Part& other, Row<W>* out) const {
        const Row<W>*left = one.first, *right = other.first;
        while (left != one.end && right != other.end) {
            const Row<W> a = stepped(*left, one.step), b = stepped(*right, other.step);
            const bool take_left = !less_in(b, a, all_), take_right = !less_in(a, b, all_);
            const std::uint64_t both = take_left && take_right ? count_.get(b) : 0;
            *out = take_left ? a : b;
            if (count_.get(*out) + both > count_.low) {
                *++out = b;
            } else {
                out->word[W == 1 ? 0 : count_.word] += both << count_.shift;
            }
            ++out;
            left += take_left;
            right += take_right;
        }
        return copied({right, other.end, other.step}, copied({left, one.end, one.step}, out));
    }
};

}  // namespace biombo
