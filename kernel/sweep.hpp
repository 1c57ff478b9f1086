// Every subset of the quasi columns in one sweep: groups of a table, divided column by column along the tree of subsets.
//
// A group of a node is divided by each later column in turn; each part is a group of that child. A group whose rows agree
// in all later columns is the same group in the whole subtree: it is *closed*, noted once for all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "counting.hpp"
#include "subset_tree.hpp"

namespace biombo {

template <int W>
struct Group {
    const Row<W>* rows;
    std::size_t n;
    std::uint64_t node;
    int column;   // the first column that may still divide it
    int left;     // how many columns may still be added
    bool sorted;  // by the columns from `column` on
};

// Divides groups and hands each to a `Finding`, which notes what it is after:
//
//   Finding::Open                       what of a group is still worth dividing it for; false when nothing is
//   Finding::Summary                    the numbers of a group, the same for all nodes that have it
//   summarise(group, differing, open)   → Summary; may note what is closed already and take it out of `open`
//   note(node, summary, open, closed)   add the group to its node, or, closed, to the node and all below
//   single(group, open)                 a group of one row, closed by nature
//   leaves(group, field, column, open)  note the parts by the last column at once, if it can; says whether it did
//   include_values(bits, open)          the bits besides the quasi columns by which rows must be told apart
//   table(rows, n)                      the table as a whole
//   open(), closed()                    what was added up
template <int W, class Finding>
class Divider {
public:
    using Open = typename Finding::Open;
    using Summary = typename Finding::Summary;

    Divider(const Layout& layout, const SubsetTree& tree, Monitor& monitor, Finding finding)
        : finding_(std::move(finding)),
          layout_(layout),
          tree_(tree),
          monitor_(monitor),
          divided_(tree.max_size() + 1),
          merged_(tree.max_size() + 1) {
        for (int column = 0; column <= tree.columns(); ++column) {
            later_.emplace_back();
            for (int c = column; c < tree.columns(); ++c) include(later_.back(), layout.quasi[c]);
        }
    }

    const Finding& finding() const { return finding_; }
    Finding& finding() { return finding_; }

    // Notes a group and everything below it.
    void group(const Group<W>& g, Open open, int depth) {
        if (g.n == 1) return finding_.single(g, open);
        const Row<W> differing = varying(g.rows, g.n);
        const Summary summary = finding_.summarise(g, differing, open);
        note(g, differing, summary, open, depth);
    }

private:
    static constexpr std::size_t merge_from = 2048;  // rows; below, merging costs more than it saves
    static constexpr std::size_t check_from = 4096;  // rows; below, a group is done before anyone gets impatient

    Finding finding_;
    const Layout& layout_;
    const SubsetTree& tree_;
    Monitor& monitor_;
    std::vector<Row<W>> later_;  // per column: its bits and those of all later ones
    std::vector<Buffer<W>> divided_;
    std::vector<Buffer<W>> merged_;
    Buffer<W> scratch_;

    void note(const Group<W>& g, const Row<W>& differing, const Summary& summary, Open open, int depth) {
        const bool closed = !open || !overlap(differing, later_[g.column]);
        finding_.note(g.node, summary, open, closed);
        if (!closed && g.left > 0) divide(g, differing, summary, open, depth);
    }

    void divide(Group<W> g, const Row<W>& differing, const Summary& summary, Open open, int depth) {
        if (g.n >= check_from) monitor_.check();
        std::uint64_t child = g.node + 1;
        const int first = g.column;
        for (int column = first; column < tree_.columns(); ++column) {
            const Field& field = layout_.quasi[column];
            const bool last = column + 1 == tree_.columns() || g.left == 1;
            if (column > first && g.n >= merge_from && !last) merge_later(g, column, open, depth);
            const Group<W> below{g.rows, g.n, child, column + 1, g.left - 1, g.sorted && g.column == column};
            if ((differing.word[field.word] & field.mask()) == 0) {
                note(below, differing, summary, open, depth + 1);
            } else if (!last || !finding_.leaves(below, field, column, open)) {
                divide_by(field, below, open, depth);
            }
            child += tree_.subtree(tree_.columns() - 1 - column, g.left - 1);
        }
    }

    // Forgets the columns before `column`, which makes more rows equal.
    void merge_later(Group<W>& g, int column, Open open, int depth) {
        Row<W> bits = later_[column];
        finding_.include_values(bits, open);
        Row<W>* rows = merged_[depth].reserve(g.n);
        if (g.rows != rows) std::copy_n(g.rows, g.n, rows);
        sort_rows(rows, scratch_.reserve(g.n), g.n, bits);
        g.n = merge_sorted(rows, g.n, bits, layout_.count);
        g.rows = rows;
        g.column = column;
        g.sorted = true;
    }

    // Divides rows by one field; `part` is what all parts have in common.
    void divide_by(const Field& field, Group<W> part, Open open, int depth) {
        if (!part.sorted) part.rows = brought_together(field, part, depth);
        const Row<W>* end = part.rows + part.n;
        for (const Row<W>* first = part.rows; first != end;) {
            const Row<W>* next = first + 1;
            while (next != end && field.get(*next) == field.get(*first)) ++next;
            part.rows = first;
            part.n = static_cast<std::size_t>(next - first);
            group(part, open, depth + 1);
            first = next;
        }
    }

    // The rows of a group, copied so that those with the same value of a field are neighbours.
    const Row<W>* brought_together(const Field& field, const Group<W>& g, int depth) {
        Row<W>* rows = divided_[depth].reserve(g.n);
        constexpr std::size_t most_values = 256;
        constexpr std::size_t most_rows = std::numeric_limits<std::uint32_t>::max();
        if (field.low >= most_values || field.low > 2 * g.n || g.n > most_rows) {
            Row<W> bits{};
            include(bits, field);
            std::copy_n(g.rows, g.n, rows);
            sort_rows(rows, scratch_.reserve(g.n), g.n, bits);
            return rows;
        }
        std::uint32_t starts[most_values];
        std::fill_n(starts, field.low + 1, 0);
        for (std::size_t i = 0; i < g.n; ++i) ++starts[field.get(g.rows[i])];
        std::uint32_t start = 0;
        for (std::size_t value = 0; value <= field.low; ++value) start += std::exchange(starts[value], start);
        for (std::size_t i = 0; i < g.n; ++i) rows[starts[field.get(g.rows[i])]++] = g.rows[i];
        return rows;
    }
};

// Divides a table by every subset, the groups of each first column shared between threads.
template <int W, class Finding>
class Sweep {
public:
    template <class Make>
    Sweep(const Layout& layout, const SubsetTree& tree, int threads, Monitor& monitor, const Make& make_finding)
        : layout_(layout), tree_(tree), threads_(threads), monitor_(monitor) {
        for (int i = 0; i < threads; ++i) dividers_.emplace_back(layout, tree, monitor, make_finding());
    }

    // Divides sorted cells; `total` then adds up what was found.
    void run(const Row<W>* cells, std::size_t n, typename Finding::Open open) {
        dividers_[0].finding().table(cells, n);
        std::uint64_t node = 1;
        Buffer<W> merged;
        for (int column = 0; column < tree_.columns() && tree_.max_size() > 0; ++column) {
            if (column > 0) {
                auto counting = without_columns_before(column);
                merged = column == 1 ? counting.run(n, copy_of(cells)) : counting.run(std::move(merged));
                cells = merged.data();
                n = merged.size();
            }
            parts(column, node, cells, n, open);
            node += tree_.subtree(tree_.columns() - 1 - column, tree_.max_size() - 1);
        }
    }

    // Every node's sums: of its own groups, and of those that are closed at it or above. `zero` has no sums yet.
    template <class Tally>
    Tally total(const Tally& zero) const {
        Tally sums = zero;
        Tally inherited = zero;
        tree_.each([&](std::uint64_t node, std::uint64_t parent, std::uint64_t) {
            if (node != 0) inherited.add(node, inherited, parent);
            for (const auto& divider : dividers_) {
                inherited.add(node, divider.finding().closed(), node);
                sums.add(node, divider.finding().open(), node);
            }
            sums.add(node, inherited, node);
        });
        return sums;
    }

private:
    const Layout& layout_;
    const SubsetTree& tree_;
    int threads_;
    Monitor& monitor_;
    std::vector<Divider<W, Finding>> dividers_;

    Counting<W> without_columns_before(int column) {
        Row<W> bits{};
        for (int c = column; c < tree_.columns(); ++c) include(bits, layout_.quasi[c]);
        for (const Field& field : layout_.target) include(bits, field);
        return Counting<W>(bits, layout_.count, threads_, monitor_);
    }

    // The groups of the subset of `column` alone, and all below, shared between the threads, largest first.
    void parts(int column, std::uint64_t node, const Row<W>* cells, std::size_t n, typename Finding::Open open) {
        const Field& field = layout_.quasi[column];
        std::vector<Group<W>> groups;
        for (std::size_t first = 0; first < n;) {
            std::size_t next = first + 1;
            while (next < n && field.get(cells[next]) == field.get(cells[first])) ++next;
            groups.push_back({cells + first, next - first, node, column + 1, tree_.max_size() - 1, true});
            first = next;
        }
        std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.n > b.n; });
        const double share = static_cast<double>(tree_.subtree(tree_.columns() - 1 - column, tree_.max_size() - 1)) /
                             static_cast<double>(tree_.nodes()) / static_cast<double>(n);
        for_each_task(threads_, groups.size(), monitor_, [&](int worker, std::size_t task) {
            dividers_[worker].group(groups[task], open, 1);
            monitor_.advance(share * static_cast<double>(groups[task].n));
        });
    }
};

}  // namespace biombo
