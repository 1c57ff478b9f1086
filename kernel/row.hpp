// A cell packed into a few machine words: the codes of its columns and how many records it stands for.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace biombo {

template <int W>
struct Row {
    std::uint64_t word[W];
};

// Where one number lies in a row.
struct Field {
    int word = 0;
    int shift = 0;
    std::uint64_t low = 0;  // the number's mask, moved down to bit 0

    bool operator==(const Field&) const = default;
    std::uint64_t mask() const { return low << shift; }

    template <int W>
    std::uint64_t get(const Row<W>& row) const {
        return (row.word[W == 1 ? 0 : word] >> shift) & low;
    }

    template <int W>
    void put(Row<W>& row, std::uint64_t value) const {
        row.word[W == 1 ? 0 : word] |= value << shift;
    }
};

// How many records of the table a row stands for: none where it is marked as one of the population.
struct Records {
    Field count;
    Field population;  // one bit; none where there is no population

    template <int W>
    std::uint64_t get(const Row<W>& row) const {
        return count.get(row) & (population.get(row) - 1);
    }
};

// How many rows are to be counted, and how many records they stand for together.
struct Extent {
    std::size_t rows;
    std::uint64_t records;
};

// The fields of a row, from the most significant bit down: quasi columns, targets (sensitive columns), count.
// Rows compare word by word, so sorted rows are grouped by the first quasi column, then by the second, and so on.
class Layout {
public:
    std::vector<Field> quasi;
    std::vector<Field> target;
    Field count;
    Field population;  // the target that marks rows of the population, where there are such
    int words = 0;

    Layout(const std::vector<std::uint64_t>& quasi_cardinality, const std::vector<std::uint64_t>& target_cardinality,
           const Extent& extent) {
        for (auto cardinality : quasi_cardinality) quasi.push_back(place(bits_for(cardinality)));
        for (auto cardinality : target_cardinality) target.push_back(place(bits_for(cardinality)));
        constexpr int fewest_count_bits = 8;
        if (free_ < fewest_count_bits || splits_many(extent)) open_word();
        count = place(free_);
    }

    bool operator==(const Layout&) const = default;
    bool has_population() const { return population.low != 0; }
    Records records() const { return {count, population}; }

private:
    int free_ = 0;  // unused bits of the last word

    static int bits_for(std::uint64_t cardinality) { return cardinality < 2 ? 0 : static_cast<int>(std::bit_width(cardinality - 1)); }

    // Would counts that are too large for the bits left take more rows than there are anyway?
    bool splits_many(const Extent& extent) const { return free_ < 64 && extent.records >> free_ > extent.rows; }

    void open_word() {
        ++words;
        free_ = 64;
    }

    Field place(int bits) {
        if (words == 0 || bits > free_) open_word();
        free_ -= bits;
        return Field{words - 1, bits == 0 ? 0 : free_, bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits)};
    }
};

// The bits of a row that matter for a task, as a row of masks.
template <int W>
void include(Row<W>& bits, const Field& field) {
    bits.word[field.word] |= field.mask();
}

template <int W>
Row<W> masked(const Row<W>& row, const Row<W>& bits) {
    Row<W> result;
    for (int w = 0; w < W; ++w) result.word[w] = row.word[w] & bits.word[w];
    return result;
}

template <int W>
bool overlap(const Row<W>& a, const Row<W>& b) {
    std::uint64_t common = 0;
    for (int w = 0; w < W; ++w) common |= a.word[w] & b.word[w];
    return common != 0;
}

template <int W>
bool less_in(const Row<W>& a, const Row<W>& b, const Row<W>& bits) {
    for (int w = 0; w < W; ++w) {
        const auto x = a.word[w] & bits.word[w];
        const auto y = b.word[w] & bits.word[w];
        if (x != y) return x < y;
    }
    return false;
}

template <int W>
bool equal_in(const Row<W>& a, const Row<W>& b, const Row<W>& bits) {
    std::uint64_t difference = 0;
    for (int w = 0; w < W; ++w) difference |= (a.word[w] ^ b.word[w]) & bits.word[w];
    return difference == 0;
}

// The bits in which any two of the rows differ.
template <int W>
Row<W> varying(const Row<W>* rows, std::size_t n) {
    Row<W> result{};
    const Row<W> first = rows[0];
    for (std::size_t i = 1; i < n; ++i)
        for (int w = 0; w < W; ++w) result.word[w] |= rows[i].word[w] ^ first.word[w];
    return result;
}

}  // namespace biombo
