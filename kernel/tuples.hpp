// The distinct rows of a table, their codes column by column again, and how many records each stands for.
#pragma once

#include <bit>
#include <cstdint>
#include <variant>
#include <vector>

#include "cells.hpp"

namespace biombo {

// The codes of a column, as narrow as its cardinality allows.
using CodeList = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>;

struct Tuples {
    std::vector<CodeList> codes;  // per column
    std::vector<std::uint64_t> counts;
};

inline CodeList codes_for(std::uint64_t cardinality, std::size_t n) {
    if (cardinality <= 1 << 8) return std::vector<std::uint8_t>(n);
    if (cardinality <= 1 << 16) return std::vector<std::uint16_t>(n);
    return std::vector<std::uint32_t>(n);
}

// Brings sorted rows that stand there several times for their counts down to one each; says what these add up to.
template <int W>
std::vector<std::uint64_t> take_counts(Buffer<W>& sorted, const Layout& layout) {
    const Row<W> bits = code_bits<W>(layout);
    std::vector<std::uint64_t> counts;
    counts.reserve(distinct(layout, sorted));
    Row<W>* rows = sorted.data();
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const std::uint64_t count = layout.count.get(rows[i]);
        if (!counts.empty() && equal_in(rows[counts.size() - 1], rows[i], bits)) {
            counts.back() += count;
        } else {
            rows[counts.size()] = rows[i];
            counts.push_back(count);
        }
    }
    return counts;
}

// The codes of sorted rows, column by column, and their counts; the rows are brought down to one for each.
template <int W>
Tuples unpacked(Buffer<W>& rows, const Layout& layout, const std::vector<std::uint64_t>& cardinality, int threads,
                Monitor& monitor) {
    Tuples tuples{{}, take_counts(rows, layout)};
    for (auto values : cardinality) tuples.codes.push_back(codes_for(values, tuples.counts.size()));
    for_each_task(threads, tuples.codes.size(), monitor, [&](int, std::size_t c) {
        std::visit(
            [&]<class Code>(std::vector<Code>& codes) {
                for (std::size_t i = 0; i < codes.size(); ++i)
                    codes[i] = static_cast<Code>(layout.quasi[c].get(rows.data()[i]));
            },
            tuples.codes[c]);
    });
    return tuples;
}

// Of the rows that `produce` gives, those whose codes have a digest that begins with `zeros` zeros: about one of 2^zeros, and of
// equal ones all or none.
template <int W>
Producer<W> thinned(const Producer<W>& produce, const Row<W>& bits, int zeros) {
    return [&produce, bits, zeros](std::size_t begin, std::size_t n, Block<W>& out) {
        const std::size_t first = out.size();
        produce(begin, n, out);
        std::size_t kept = first;
        for (std::size_t i = first; i < out.size(); ++i) {
            std::uint64_t digest = 0;
            for (int w = 0; w < W; ++w) digest = (std::rotl(digest, 29) ^ (out[i].word[w] & bits.word[w])) * 0x9e3779b97f4a7c15;
            digest = (digest ^ digest >> 32) * 0xd6e8feb86659fd93;
            if (digest >> (64 - zeros) == 0) out[kept++] = out[i];
        }
        out.cut(kept);
    };
}

// About how many distinct rows a table has, judged by one of sixteen. Rows are packed for it, but hardly any is sorted.
inline std::size_t estimate_tuples(const Table& table, int threads, Monitor& monitor) {
    constexpr int zeros = 4;
    const Layout layout = layout_of(table);
    return with_width(layout.words, [&](auto width) {
        constexpr int W = width();
        const Row<W> bits = code_bits<W>(layout);
        const Producer<W> all = packed<W>(table, layout);
        Counting<W> counting(bits, layout.count, threads, monitor);
        return counting.run(table.rows, thinned<W>(all, bits, zeros)).size() << zeros;
    });
}

}  // namespace biombo
