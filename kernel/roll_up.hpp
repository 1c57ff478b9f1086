// One step up a hierarchy, for all distinct rows of a table.
//
// Codes are given out so that a step keeps their order. Rows sorted by all columns therefore stay sorted before the column
// that takes the step: only runs that the step brings together must be merged, and each of their parts is sorted already.
#pragma once

#include <cstring>
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
    // bits of the columns up to this one. `out` has room for all rows; says how many it wrote.
    std::size_t run(const Row<W>* rows, std::size_t n, const Field& field, const std::vector<std::uint32_t>& up,
                    const Row<W>& before, Row<W>* out) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < n;) {
            const Row<W> head = stepped(rows[i], field, up);
            parts_.assign(1, 0);
            std::uint64_t code = field.get(rows[i]);
            std::size_t j = i;
            for (; j < n; ++j) {
                const Row<W> row = stepped(rows[j], field, up);
                if (!equal_in(row, head, before)) break;
                if (field.get(rows[j]) != code) {
                    code = field.get(rows[j]);
                    parts_.push_back(j - i);
                }
                out[kept + j - i] = row;
            }
            parts_.push_back(j - i);
            kept += merge_parts(out + kept, j - i);
            i = j;
        }
        return kept;
    }

private:
    Row<W> all_;
    Field count_;
    std::vector<std::size_t> parts_;  // where each sorted part of the run begins, and where the last one ends
    Buffer<W> scratch_;

    static Row<W> stepped(Row<W> row, const Field& field, const std::vector<std::uint32_t>& up) {
        const std::uint64_t code = up[field.get(row)];
        row.word[W == 1 ? 0 : field.word] &= ~field.mask();
        field.put(row, code);
        return row;
    }

    // Merges neighbouring parts until one is left; returns its length.
    std::size_t merge_parts(Row<W>* rows, std::size_t n) {
        if (parts_.size() == 2) return n;
        constexpr std::size_t insertion_limit = 12;
        if (n <= insertion_limit) {
            insertion_sort(rows, n, all_);
            return merge_sorted(rows, n, all_, count_);
        }
        Row<W>* from = rows;
        Row<W>* to = scratch_.reserve(n);
        while (parts_.size() > 2) {
            std::size_t kept = 0, end = 0;
            for (std::size_t part = 0; part + 1 < parts_.size(); part += 2) {
                const std::size_t first = parts_[part], middle = parts_[part + 1];
                const std::size_t last = part + 2 < parts_.size() ? parts_[part + 2] : middle;
                parts_[end++] = kept;
                kept += merged(from + first, from + middle, from + last, to + kept);
            }
            parts_[end++] = kept;
            parts_.resize(end);
            std::swap(from, to);
        }
        if (from != rows) std::memcpy(static_cast<void*>(rows), from, parts_.back() * sizeof(Row<W>));
        return parts_.back();
    }

    // Two sorted parts, one behind the other, into one; equal rows are added up as long as the sum fits its field.
    std::size_t merged(const Row<W>* left, const Row<W>* middle, const Row<W>* end, Row<W>* out) const {
        const Row<W>* right = middle;
        Row<W>* next = out;
        while (left != middle && right != end) {
            const bool take_left = !less_in(*right, *left, all_), take_right = !less_in(*left, *right, all_);
            *next = take_left ? *left : *right;
            if (take_left && take_right) {
                const std::uint64_t sum = count_.get(*left) + count_.get(*right);
                if (sum > count_.low) {
                    *++next = *right;
                } else {
                    next->word[W == 1 ? 0 : count_.word] &= ~count_.mask();
                    count_.put(*next, sum);
                }
            }
            ++next;
            left += take_left;
            right += take_right;
        }
        next = std::copy(left, middle, next);
        next = std::copy(right, end, next);
        return static_cast<std::size_t>(next - out);
    }
};

}  // namespace biombo
