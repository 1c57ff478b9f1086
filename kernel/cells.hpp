// The distinct rows of a table with their counts, and what is read off them.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "column.hpp"
#include "counting.hpp"
#include "exposure.hpp"

namespace biombo {

// The groups of some quasi columns, with what they say about a target (where there is none, all records agree).
struct GroupList {
    std::vector<std::uint64_t> size;
    std::vector<std::uint64_t> top;   // records with the most frequent value of the target
    std::vector<std::uint64_t> ties;  // how many values are that frequent
};

struct SweepResult {
    std::vector<std::uint64_t> subset;  // per node; bit i is quasi column i
    Tally tally;
};

class Cells {
public:
    virtual ~Cells() = default;
    virtual std::size_t size() const = 0;
    virtual std::size_t quasi() const = 0;
    virtual std::size_t targets() const = 0;
    virtual std::size_t bytes() const = 0;
    virtual SweepResult sweep(int max_size, int threads, Monitor& monitor) const = 0;
    virtual GroupList groups(const std::vector<int>& quasi, int target, int threads, Monitor& monitor) const = 0;
};

// A table to count: which of its rows (all, where `keep` is null), and how many records each stands for (one, where `counts`
// is null).
struct Table {
    std::vector<Column> quasi;
    std::vector<Column> targets;
    std::size_t rows = 0;
    const bool* keep = nullptr;
    const std::uint64_t* counts = nullptr;

    std::uint64_t count(std::size_t row) const { return counts ? counts[row] : 1; }
    bool kept(std::size_t row) const { return (!keep || keep[row]) && count(row) > 0; }
};

// No sum of counts is larger than that of all, which Python can hold; so none can overflow.
inline std::uint64_t checked_sum(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    if (a > most || b > most - a) throw std::overflow_error("more than 2^63 - 1 records");
    return a + b;
}

// How many records are counted; of rows that stand for one, at most.
inline std::uint64_t records(const Table& table) {
    if (!table.counts) return table.rows;
    std::uint64_t sum = 0;
    for (std::size_t row = 0; row < table.rows; ++row)
        if (table.kept(row)) sum = checked_sum(sum, table.counts[row]);
    return sum;
}

// The bits of all codes of a row.
template <int W>
Row<W> code_bits(const Layout& layout) {
    Row<W> bits{};
    for (const Field& field : layout.quasi) include(bits, field);
    for (const Field& field : layout.target) include(bits, field);
    return bits;
}

// How many different rows there are among sorted ones, some of which may stand there several times for their counts.
template <int W>
std::size_t distinct(const Layout& layout, const Buffer<W>& sorted) {
    const Row<W> bits = code_bits<W>(layout);
    std::size_t number = sorted.size() > 0;
    for (std::size_t i = 1; i < sorted.size(); ++i) number += !equal_in(sorted.data()[i - 1], sorted.data()[i], bits);
    return number;
}

template <int W>
class CellsOf final : public Cells {
public:
    CellsOf(const Layout& layout, std::vector<std::uint64_t> target_cardinality, std::uint64_t records, Buffer<W> rows)
        : layout_(layout), target_cardinality_(std::move(target_cardinality)), records_(records), rows_(std::move(rows)) {}

    std::size_t size() const override { return distinct(layout_, rows_); }
    std::size_t quasi() const override { return layout_.quasi.size(); }
    std::size_t targets() const override { return layout_.target.size(); }
    std::size_t bytes() const override { return rows_.size() * sizeof(Row<W>); }

    SweepResult sweep(int max_size, int threads, Monitor& monitor) const override {
        const SubsetTree tree(static_cast<int>(layout_.quasi.size()), max_size);
        const bool narrow = records_ <= std::numeric_limits<std::uint32_t>::max();
        return {tree.subsets(), narrow ? exposure<std::uint32_t>(tree, threads, monitor)
                                       : exposure<std::uint64_t>(tree, threads, monitor)};
    }

    GroupList groups(const std::vector<int>& quasi, int target, int threads, Monitor& monitor) const override {
        Row<W> group_bits{};
        for (int column : quasi) include(group_bits, layout_.quasi.at(column));
        Row<W> bits = group_bits;
        if (target >= 0) include(bits, layout_.target.at(target));
        const auto rows = Counting<W>(bits, layout_.count, threads, monitor).run(rows_.size(), copy_of(rows_.data()));
        return list_groups(rows, group_bits, bits);
    }

private:
    Layout layout_;
    std::vector<std::uint64_t> target_cardinality_;
    std::uint64_t records_;
    Buffer<W> rows_;

    // `Count` holds the number of all records: narrow ones are faster.
    template <class Count>
    Tally exposure(const SubsetTree& tree, int threads, Monitor& monitor) const {
        Sweep<W, Exposure<W, Count>> sweep(layout_, tree, threads, monitor,
                                           [&] { return Exposure<W, Count>(layout_, tree, target_cardinality_); });
        sweep.run(rows_.data(), rows_.size(), {(std::uint64_t{1} << layout_.target.size()) - 1});
        return sweep.total(Tally(tree.nodes(), layout_.target.size()));
    }

    // The groups of rows sorted by `group_bits` and then by the target's value, both of them in `bits`.
    GroupList list_groups(const Buffer<W>& sorted, const Row<W>& group_bits, const Row<W>& bits) const {
        GroupList list;
        const Row<W>* end = sorted.data() + sorted.size();
        for (const Row<W>* row = sorted.data(); row != end;) {
            const Row<W>* first = row;
            std::uint64_t size = 0, top = 0, ties = 0;
            while (row != end && equal_in(*row, *first, group_bits)) {
                const Row<W>* value = row;
                std::uint64_t count = 0;
                for (; row != end && equal_in(*row, *value, bits); ++row) count += layout_.count.get(*row);
                ties = count > top ? 1 : ties + (count == top);
                top = std::max(top, count);
                size += count;
            }
            list.size.push_back(size);
            list.top.push_back(top);
            list.ties.push_back(ties);
        }
        return list;
    }
};

// Gives the rows of a block from `first` on, which are those of the table from `begin` on, their counts, and takes out those
// that are not kept.
template <int W>
void put_counts(const Table& table, const Field& field, std::size_t begin, std::size_t first, Block<W>& rows) {
    const std::size_t end = rows.size();
    std::size_t kept = first;
    for (std::size_t i = first; i < end; ++i) {
        const std::size_t row = begin + (i - first);
        if (!table.kept(row)) continue;
        Row<W> cell = rows[i];
        std::uint64_t count = table.count(row);
        for (; count > field.low; count -= field.low) field.put(*rows.extend(1) = cell, field.low);
        field.put(cell, count);
        rows[kept++] = cell;
    }
    std::copy(rows.begin() + end, rows.end(), rows.begin() + kept);
    rows.cut(kept + (rows.size() - end));
}

// Packs the rows of a table that are kept, each with its count.
template <int W>
Producer<W> packed(const Table& table, const Layout& layout) {
    return [&table, &layout](std::size_t begin, std::size_t n, Block<W>& out) {
        const std::size_t first = out.size();
        Row<W>* rows = out.extend(n);
        std::fill_n(rows, n, Row<W>{});
        for (std::size_t c = 0; c < table.quasi.size(); ++c) table.quasi[c].pack(begin, n, layout.quasi[c], rows);
        for (std::size_t t = 0; t < table.targets.size(); ++t) table.targets[t].pack(begin, n, layout.target[t], rows);
        if (table.keep || table.counts) return put_counts(table, layout.count, begin, first, out);
        for (std::size_t i = 0; i < n; ++i) layout.count.put(rows[i], 1);
    };
}

// Calls `make` with the smallest compiled row width that holds `words` words.
template <class Make>
auto with_width(int words, const Make& make) {
    if (words <= 1) return make(std::integral_constant<int, 1>{});
    if (words <= 2) return make(std::integral_constant<int, 2>{});
    if (words <= 4) return make(std::integral_constant<int, 4>{});
    if (words <= 8) return make(std::integral_constant<int, 8>{});
    if (words <= 16) return make(std::integral_constant<int, 16>{});
    if (words <= 40) return make(std::integral_constant<int, 40>{});
    throw std::length_error("the columns take more than 2,560 bits a row");
}

inline std::vector<std::uint64_t> cardinalities(const std::vector<Column>& columns) {
    std::vector<std::uint64_t> result;
    for (const auto& column : columns) result.push_back(column.cardinality);
    return result;
}

inline Layout layout_of(const Table& table) {
    return Layout(cardinalities(table.quasi), cardinalities(table.targets), {table.rows, records(table)});
}

// The distinct kept rows of a table, sorted, with their counts.
template <int W>
Buffer<W> count_rows(const Table& table, const Layout& layout, int threads, Monitor& monitor) {
    return Counting<W>(code_bits<W>(layout), layout.count, threads, monitor).run(table.rows, packed<W>(table, layout));
}

inline std::unique_ptr<Cells> count_cells(const Table& table, int threads, Monitor& monitor) {
    const Layout layout = layout_of(table);
    return with_width(layout.words, [&](auto width) -> std::unique_ptr<Cells> {
        constexpr int W = width();
        auto rows = count_rows<W>(table, layout, threads, monitor);
        return std::make_unique<CellsOf<W>>(layout, cardinalities(table.targets), records(table), std::move(rows));
    });
}

}  // namespace biombo
