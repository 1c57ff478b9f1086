// A column of codes, 8, 16 or 32 bits wide.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "row.hpp"

namespace biombo {

struct Column {
    const void* codes = nullptr;
    int width = 1;  // bytes a code
    std::uint64_t cardinality = 0;

    // Puts the codes of rows `begin` to `begin + n` into `field` of `rows`.
    template <int W>
    void pack(std::size_t begin, std::size_t n, const Field& field, Row<W>* rows) const {
        switch (width) {
            case 1: return pack_as(static_cast<const std::uint8_t*>(codes) + begin, n, field, rows);
            case 2: return pack_as(static_cast<const std::uint16_t*>(codes) + begin, n, field, rows);
            default: return pack_as(static_cast<const std::uint32_t*>(codes) + begin, n, field, rows);
        }
    }

    // Is every code below the cardinality?
    bool within_cardinality(std::size_t rows) const {
        switch (width) {
            case 1: return highest(static_cast<const std::uint8_t*>(codes), rows) < std::max<std::uint64_t>(cardinality, 1);
            case 2: return highest(static_cast<const std::uint16_t*>(codes), rows) < std::max<std::uint64_t>(cardinality, 1);
            default: return highest(static_cast<const std::uint32_t*>(codes), rows) < std::max<std::uint64_t>(cardinality, 1);
        }
    }

    std::uint32_t at(std::size_t row) const {
        switch (width) {
            case 1: return static_cast<const std::uint8_t*>(codes)[row];
            case 2: return static_cast<const std::uint16_t*>(codes)[row];
            default: return static_cast<const std::uint32_t*>(codes)[row];
        }
    }

private:
    template <class Code>
    static Code highest(const Code* codes, std::size_t rows) {
        Code most = 0;
        for (std::size_t i = 0; i < rows; ++i) most = std::max(most, codes[i]);
        return most;
    }

    template <class Code, int W>
    static void pack_as(const Code* codes, std::size_t n, const Field& field, Row<W>* rows) {
        for (std::size_t i = 0; i < n; ++i) field.put(rows[i], codes[i]);
    }
};

}  // namespace biombo
