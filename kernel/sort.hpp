// Sorting rows and adding up those that are equal.
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#include "row.hpp"

namespace biombo {

template <int W>
void insertion_sort(Row<W>* rows, std::size_t n, const Row<W>& bits) {
    for (std::size_t i = 1; i < n; ++i) {
        const Row<W> row = rows[i];
        std::size_t j = i;
        for (; j > 0 && less_in(row, rows[j - 1], bits); --j) rows[j] = rows[j - 1];
        rows[j] = row;
    }
}

// Sorts by `bits` from the least significant digit up, skipping digits that are the same in all rows.
template <int W>
void radix_sort(Row<W>* rows, Row<W>* scratch, std::size_t n, const Row<W>& bits) {
    constexpr int digit_bits = 8;
    constexpr std::uint64_t digits = std::uint64_t{1} << digit_bits;
    const Row<W> differing = masked(varying(rows, n), bits);
    Row<W>* from = rows;
    Row<W>* to = scratch;
    for (int w = W - 1; w >= 0; --w) {
        for (std::uint64_t rest = differing.word[w]; rest != 0;) {
            const int shift = std::countr_zero(rest);
            const std::uint64_t digit = (bits.word[w] >> shift) & (digits - 1);
            std::size_t start[digits] = {};
            for (std::size_t i = 0; i < n; ++i) ++start[(from[i].word[w] >> shift) & digit];
            std::size_t sum = 0;
            for (auto& s : start) sum += std::exchange(s, sum);
            for (std::size_t i = 0; i < n; ++i) to[start[(from[i].word[w] >> shift) & digit]++] = from[i];
            std::swap(from, to);
            rest &= shift + digit_bits < 64 ? ~std::uint64_t{0} << (shift + digit_bits) : 0;
        }
    }
    if (from != rows) std::memcpy(static_cast<void*>(rows), from, n * sizeof(Row<W>));
}

template <int W>
void sort_rows(Row<W>* rows, Row<W>* scratch, std::size_t n, const Row<W>& bits) {
    constexpr std::size_t insertion_limit = 24;
    if (n <= insertion_limit) {
        insertion_sort(rows, n, bits);
    } else {
        radix_sort(rows, scratch, n, bits);
    }
}

// Adds up the counts of sorted rows that agree in `bits`. A sum too large for the count field takes several rows.
template <int W>
std::size_t merge_sorted(Row<W>* rows, std::size_t n, const Row<W>& bits, const Field& count) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < n;) {
        Row<W> merged = masked(rows[i], bits);
        std::uint64_t total = count.get(rows[i]);
        std::size_t j = i + 1;
        for (; j < n && equal_in(rows[j], rows[i], bits); ++j) total += count.get(rows[j]);
        for (i = j; total > count.low; total -= count.low) {
            rows[kept] = merged;
            count.put(rows[kept++], count.low);
        }
        count.put(merged, total);
        rows[kept++] = merged;
    }
    return kept;
}

}  // namespace biombo
