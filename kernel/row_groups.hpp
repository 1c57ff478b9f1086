// A number for each row, the same for rows that agree in all columns.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "cells.hpp"

namespace biombo {

// Open addressing over packed rows; the number of a row is the order in which its like first came.
template <int W>
class Numbering {
public:
    Numbering() : slots_(1 << 12, empty) {}

    std::uint32_t number(const Row<W>& row) {
        std::size_t slot = hash(row) & (slots_.size() - 1);
        while (slots_[slot] != empty) {
            if (same(rows_[slots_[slot]], row)) return slots_[slot];
            slot = (slot + 1) & (slots_.size() - 1);
        }
        if (rows_.size() == empty) throw std::length_error("more than 2^32 - 1 different rows");
        slots_[slot] = static_cast<std::uint32_t>(rows_.size());
        rows_.push_back(row);
        const std::uint32_t number = slots_[slot];
        if (2 * rows_.size() > slots_.size()) grow();
        return number;
    }

    std::size_t size() const { return rows_.size(); }

private:
    static constexpr std::uint32_t empty = ~std::uint32_t{0};
    std::vector<std::uint32_t> slots_;
    std::vector<Row<W>> rows_;

    static bool same(const Row<W>& a, const Row<W>& b) {
        for (int w = 0; w < W; ++w)
            if (a.word[w] != b.word[w]) return false;
        return true;
    }

    // Codes lie in the upper bits of a word, and a product brings nothing down: so the halves are mixed before each.
    static std::size_t hash(const Row<W>& row) {
        std::uint64_t h = 0;
        for (int w = 0; w < W; ++w) {
            h ^= row.word[w];
            h = (h ^ h >> 32) * 0x9e3779b97f4a7c15u;
            h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
        }
        return h ^ h >> 32;
    }

    void grow() {
        slots_.assign(2 * slots_.size(), empty);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            std::size_t slot = hash(rows_[i]) & (slots_.size() - 1);
            while (slots_[slot] != empty) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = static_cast<std::uint32_t>(i);
        }
    }
};

struct RowGroups {
    std::vector<std::uint32_t> number;  // per row
    std::size_t groups;
};

inline RowGroups row_groups(const std::vector<Column>& columns, std::size_t rows, Monitor& monitor) {
    const Layout layout(cardinalities(columns), {}, {rows, rows});
    return with_width(layout.words, [&](auto width) {
        constexpr int W = width();
        constexpr std::size_t block = 2048;
        Numbering<W> numbering;
        std::vector<Row<W>> packed(block);
        RowGroups result{std::vector<std::uint32_t>(rows), 0};
        for (std::size_t begin = 0; begin < rows; begin += block) {
            monitor.check();
            const std::size_t n = std::min(block, rows - begin);
            std::fill_n(packed.data(), n, Row<W>{});
            for (std::size_t c = 0; c < columns.size(); ++c) columns[c].pack(begin, n, layout.quasi[c], packed.data());
            for (std::size_t i = 0; i < n; ++i) result.number[begin + i] = numbering.number(packed[i]);
        }
        result.groups = numbering.size();
        return result;
    });
}

}  // namespace biombo
