// Distinct rows with their counts, kept packed and sorted while further rows are counted into them.
//
// Only what arrives is sorted; it is then merged into what is there, from the end, so that nothing is there twice.
#pragma once

#include <cstring>
#include <utility>
#include <variant>
#include <vector>

#include "tuples.hpp"

namespace biombo {

// Merges sorted rows into sorted rows; the counts of those that agree in `bits` are added up.
template <int W>
void merge_into(Buffer<W>& rows, const Buffer<W>& more, const Row<W>& bits, const Field& count) {
    const Row<W>* arriving = more.data();
    std::size_t left = rows.size(), coming = more.size();
    const std::size_t end = left + coming;
    std::size_t begin = end;  // of what is merged; never before `left + coming`, as rows become fewer
    rows.resize(end);
    Row<W>* all = rows.data();
    while (coming > 0) {
        const bool is_new = left == 0 || less_in(all[left - 1], arriving[coming - 1], bits);
        const Row<W> codes = masked(is_new ? arriving[coming - 1] : all[left - 1], bits);
        std::uint64_t total = 0;
        for (; left > 0 && equal_in(all[left - 1], codes, bits); --left) total += count.get(all[left - 1]);
        for (; coming > 0 && equal_in(arriving[coming - 1], codes, bits); --coming) total += count.get(arriving[coming - 1]);
        for (; total > count.low; total -= count.low) count.put(all[--begin] = codes, count.low);
        count.put(all[--begin] = codes, total);
    }
    std::memmove(static_cast<void*>(all + left), all + begin, (end - begin) * sizeof(Row<W>));
    rows.resize(left + end - begin);
}

// Calls `visit(row, count)` for every distinct one of sorted rows.
template <int W, class Visit>
void each_tuple(const Buffer<W>& sorted, const Layout& layout, const Visit& visit) {
    const Row<W> bits = code_bits<W>(layout);
    const Row<W>* end = sorted.data() + sorted.size();
    for (const Row<W>* row = sorted.data(); row != end;) {
        const Row<W>* first = row;
        std::uint64_t total = 0;
        for (; row != end && equal_in(*row, *first, bits); ++row) total += layout.count.get(*row);
        visit(*first, total);
    }
}

// The same tuples in another layout, in the same order.
template <int W, int V>
Buffer<W> repacked(const Buffer<V>& rows, const Layout& from, const Layout& to) {
    std::size_t room = 0;
    each_tuple(rows, from, [&](const Row<V>&, std::uint64_t total) { room += 1 + (total - 1) / to.count.low; });
    Buffer<W> result(room);
    Row<W>* out = result.data();
    each_tuple(rows, from, [&](const Row<V>& row, std::uint64_t total) {
        Row<W> codes{};
        for (std::size_t c = 0; c < from.quasi.size(); ++c) to.quasi[c].put(codes, from.quasi[c].get(row));
        for (; total > to.count.low; total -= to.count.low) to.count.put(*out++ = codes, to.count.low);
        to.count.put(*out++ = codes, total);
    });
    return result;
}

class PackedTuples {
public:
    std::size_t size() const {
        return std::visit([&](const auto& rows) { return distinct(layout_, rows); }, rows_);
    }

    std::size_t bytes() const {
        return std::visit([]<int W>(const Buffer<W>& rows) { return rows.size() * sizeof(Row<W>); }, rows_);
    }

    // Counts the rows of a table, which has as many columns each time; no code is lost that came before.
    void add(const Table& table, int threads, Monitor& monitor) {
        std::vector<std::uint64_t> cardinality = cardinalities(table.quasi);
        for (std::size_t c = 0; c < cardinality_.size(); ++c) cardinality[c] = std::max(cardinality[c], cardinality_[c]);
        const std::uint64_t all = checked_sum(records_, records(table));
        const std::size_t there = std::visit([](const auto& rows) { return rows.size(); }, rows_);
        const Layout layout(cardinality, {}, {there + table.rows, all});
        with_width(layout.words, [&](auto width) {
            constexpr int W = width();
            const auto arriving = count_rows<W>(table, layout, threads, monitor);
            if (!std::holds_alternative<Buffer<W>>(rows_) || layout != layout_) repack<W>(layout);
            merge_into(std::get<Buffer<W>>(rows_), arriving, code_bits<W>(layout), layout.count);
        });
        cardinality_ = std::move(cardinality);
        records_ = all;
    }

    // The codes column by column, and the counts; nothing is left here.
    Tuples take(int threads, Monitor& monitor) {
        Tuples tuples = std::visit(
            [&](auto& rows) { return unpacked(rows, layout_, cardinality_, threads, monitor); }, rows_);
        *this = PackedTuples();
        return tuples;
    }

private:
    Layout layout_{{}, {}, {0, 0}};
    std::vector<std::uint64_t> cardinality_;
    std::uint64_t records_ = 0;
    std::variant<Buffer<1>, Buffer<2>, Buffer<4>, Buffer<8>, Buffer<16>, Buffer<40>> rows_;

    template <int W>
    void repack(const Layout& layout) {
        rows_ = std::visit([&]<int V>(const Buffer<V>& rows) { return repacked<W>(rows, layout_, layout); }, rows_);
        layout_ = layout;
    }
};

}  // namespace biombo
