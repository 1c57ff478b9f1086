// The distinct tuples of a table's quasi columns, and what it costs to make some of them alike.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace biombo {

// A column with its generalisations. Levels are nested: codes that agree at one agree at all above it, and at the last.
struct RecodingColumn {
    std::vector<std::uint32_t> codes;               // per cell
    std::vector<std::vector<std::uint32_t>> group;  // per level and code
    std::vector<std::vector<double>> cost;          // per level and code: what a record with it loses; never less further up
};

class RecodingSpace {
public:
    static constexpr std::size_t most_columns = 256;

    explicit RecodingSpace(const std::vector<RecodingColumn>& columns)
        : columns_(columns.size()), cells_(columns.empty() ? 0 : columns[0].codes.size()), codes_(cells_ * columns_) {
        if (columns_ > most_columns) throw std::invalid_argument("at most 256 columns can be recoded together");
        for (std::size_t column = 0; column < columns_; ++column) {
            lookups_.emplace_back(columns[column]);
            const auto& codes = columns[column].codes;
            if (codes.size() != cells_) throw std::invalid_argument("all columns must have as many cells");
            for (std::size_t cell = 0; cell < cells_; ++cell) codes_[cell * columns_ + column] = codes[cell];
        }
    }

    std::size_t columns() const { return columns_; }
    std::size_t cells() const { return cells_; }
    const std::uint32_t* codes(std::uint32_t cell) const { return &codes_[cell * columns_]; }
    std::uint8_t levels(std::size_t column) const { return static_cast<std::uint8_t>(lookups_[column].levels); }
    std::uint32_t values(std::size_t column) const { return static_cast<std::uint32_t>(lookups_[column].values); }

    std::uint32_t group(std::size_t column, std::uint32_t code, int level) const {
        return lookups_[column].group[code * lookups_[column].levels + static_cast<std::size_t>(level)];
    }

    // What a record with this code loses at a level.
    float cost(std::size_t column, std::uint32_t code, std::uint8_t level) const {
        return lookups_[column].cost[code * lookups_[column].levels + level];
    }

    // What a record with these codes loses at these levels.
    double loss(const std::uint32_t* codes, const std::uint8_t* levels) const {
        double sum = 0;
        for (std::size_t column = 0; column < columns_; ++column) sum += cost(column, codes[column], levels[column]);
        return sum;
    }

    // The lowest level at which two codes are alike.
    std::uint8_t meeting(std::size_t column, std::uint32_t one, std::uint32_t other) const {
        const Lookup& lookup = lookups_[column];
        return lookup.meeting.empty() ? lookup.climb(one, other) : lookup.meeting[one * lookup.values + other];
    }

    // What a record of one cell loses when it is made like one of another; no more than `most` is looked at.
    float distance(std::uint32_t one, std::uint32_t other, float most) const {
        const std::uint32_t *a = codes(one), *b = codes(other);
        float sum = 0;
        for (std::size_t column = 0; column < columns_ && sum <= most; ++column)
            sum += cost(column, a[column], meeting(column, a[column], b[column]));
        return sum;
    }

private:
    static constexpr std::size_t widest_table = 1024;  // values, above which meetings are not looked up but climbed to

    struct Lookup {
        std::size_t values, levels;
        std::vector<float> cost;           // per code and level
        std::vector<std::uint32_t> group;  // per code and level
        std::vector<std::uint8_t> meeting;

        explicit Lookup(const RecodingColumn& column) : values(column.group[0].size()), levels(column.group.size()) {
            if (levels > 255) throw std::invalid_argument("a hierarchy has at most 255 levels");
            for (std::size_t code = 0; code < values; ++code)
                for (std::size_t level = 0; level < levels; ++level) {
                    cost.push_back(static_cast<float>(column.cost[level][code]));
                    group.push_back(column.group[level][code]);
                }
            if (values > widest_table) return;
            for (std::uint32_t one = 0; one < values; ++one)
                for (std::uint32_t other = 0; other < values; ++other) meeting.push_back(climb(one, other));
        }

        std::uint8_t climb(std::uint32_t one, std::uint32_t other) const {
            const std::uint32_t *a = &group[one * levels], *b = &group[other * levels];
            std::size_t level = 0;
            while (level + 1 < levels && a[level] != b[level]) ++level;
            return static_cast<std::uint8_t>(level);
        }
    };

    std::size_t columns_, cells_;
    std::vector<std::uint32_t> codes_;
    std::vector<Lookup> lookups_;
};

}  // namespace biombo
