// Every subset of the quasi columns in one sweep.
//
// A group of a node of the subset tree is divided by each later column in turn; each part is a group of that child. A
// group whose rows agree in all later columns is the same group in the whole subtree: it is *closed*, noted once for all.
// A target with a single value in a group keeps that top count in the whole subtree: the target is closed, while the
// group is still divided for the sake of the group counts.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "counting.hpp"
#include "subset_tree.hpp"
#include "tally.hpp"

namespace biombo {

using Targets = std::uint64_t;  // a bit for each target that is not closed

template <int W>
struct Group {
    const Row<W>* rows;
    std::size_t n;
    std::uint64_t node;
    int column;   // the first column that may still divide it
    int left;     // how many columns may still be added
    bool sorted;  // by the columns from `column` on
};

// What one thread needs to divide groups, and what it has found.
template <int W>
class Worker {
public:
    Tally open;    // of groups, for their node alone
    Tally closed;  // of groups, for their node and all below

    Worker(const Layout& layout, const SubsetTree& tree, const std::vector<std::uint64_t>& target_cardinality,
           Monitor& monitor)
        : open(tree.nodes(), layout.target.size()),
          closed(tree.nodes(), layout.target.size()),
          layout_(layout),
          tree_(tree),
          monitor_(monitor),
          divided_(tree.max_size() + 1),
          merged_(tree.max_size() + 1),
          tops_((tree.max_size() + 1) * layout.target.size()) {
        for (const Field& field : layout.quasi) leaf_fits_.push_back(leaf_fits(field));
        for (auto cardinality : target_cardinality) histograms_.emplace_back(std::max(cardinality, leaf_cells));
        for (int column = 0; column <= tree.columns(); ++column) {
            later_.emplace_back();
            for (int c = column; c < tree.columns(); ++c) include(later_.back(), layout.quasi[c]);
        }
    }

    // Notes the table as a whole: the only group of the empty subset.
    void table(const Row<W>* rows, std::size_t n) {
        std::uint64_t size = 0;
        for (std::size_t i = 0; i < n; ++i) size += layout_.count.get(rows[i]);
        open.add_group(0, size);
        for (int target = 0; target < static_cast<int>(layout_.target.size()); ++target)
            open.add_top(0, target, top_count(rows, n, target));
    }

    // Notes a group and everything below it.
    void group(const Group<W>& g, Targets targets, int depth) {
        if (g.n == 1) return single(g, targets);
        const Row<W> differing = varying(g.rows, g.n);
        std::uint64_t size = 0;
        for (std::size_t i = 0; i < g.n; ++i) size += layout_.count.get(g.rows[i]);
        targets = close_uniform(g, differing, size, targets);
        for (Targets rest = targets; rest != 0; rest &= rest - 1) {
            const int target = std::countr_zero(rest);
            top(depth, target) = top_count(g.rows, g.n, target);
        }
        note(g, differing, size, targets, depth, depth);
    }

private:
    static constexpr std::size_t merge_from = 2048;  // rows; below, merging costs more than it saves
    static constexpr std::size_t check_from = 4096;  // rows; below, a group is done before anyone gets impatient
    static constexpr std::uint64_t leaf_cells = 1 << 16;  // part × value pairs that are counted side by side

    struct Part {
        std::uint32_t size = 0;
        std::uint32_t top = 0;
    };

    const Layout& layout_;
    const SubsetTree& tree_;
    Monitor& monitor_;
    std::vector<Row<W>> later_;  // per column: its bits and those of all later ones
    std::vector<Buffer<W>> divided_;
    std::vector<Buffer<W>> merged_;
    Buffer<W> scratch_;
    std::vector<std::uint64_t> tops_;
    std::vector<std::vector<std::uint32_t>> histograms_;
    std::vector<Part> parts_ = std::vector<Part>(leaf_cells);
    std::vector<bool> leaf_fits_;

    bool leaf_fits(const Field& field) const {
        bool fits = field.low < leaf_cells;
        for (const Field& value : layout_.target) fits = fits && (field.low + 1) * (value.low + 1) <= leaf_cells;
        return fits;
    }

    std::uint64_t& top(int depth, int target) { return tops_[depth * layout_.target.size() + target]; }

    void single(const Group<W>& g, Targets targets) {
        const std::uint64_t size = layout_.count.get(g.rows[0]);
        closed.add_group(g.node, size);
        for (; targets != 0; targets &= targets - 1) closed.add_top(g.node, std::countr_zero(targets), size);
    }

    // Notes the targets that have one value only; the others.
    Targets close_uniform(const Group<W>& g, const Row<W>& differing, std::uint64_t size, Targets targets) {
        for (Targets rest = targets; rest != 0; rest &= rest - 1) {
            const int target = std::countr_zero(rest);
            const Field& field = layout_.target[target];
            if (differing.word[field.word] & field.mask()) continue;
            closed.add_top(g.node, target, size);
            targets &= ~(Targets{1} << target);
        }
        return targets;
    }

    std::uint64_t top_count(const Row<W>* rows, std::size_t n, int target) {
        const Field& field = layout_.target[target];
        std::uint32_t* histogram = histograms_[target].data();
        std::uint32_t most = 0;
        for (std::size_t i = 0; i < n; ++i) {
            auto& count = histogram[field.get(rows[i])];
            count += static_cast<std::uint32_t>(layout_.count.get(rows[i]));
            most = std::max(most, count);
        }
        for (std::size_t i = 0; i < n; ++i) histogram[field.get(rows[i])] = 0;
        return most;
    }

    // Adds a group whose numbers are known (its top counts stand at depth `summed`), and divides it further.
    void note(const Group<W>& g, const Row<W>& differing, std::uint64_t size, Targets targets, int depth, int summed) {
        const bool is_closed = !overlap(differing, later_[g.column]);
        Tally& tally = is_closed ? closed : open;
        tally.add_group(g.node, size);
        for (Targets rest = targets; rest != 0; rest &= rest - 1) {
            const int target = std::countr_zero(rest);
            tally.add_top(g.node, target, top(summed, target));
        }
        if (!is_closed && g.left > 0) divide(g, differing, size, targets, depth, summed);
    }

    void divide(Group<W> g, const Row<W>& differing, std::uint64_t size, Targets targets, int depth, int summed) {
        if (g.n >= check_from) monitor_.check();
        std::uint64_t child = g.node + 1;
        const int first = g.column;
        for (int column = first; column < tree_.columns(); ++column) {
            const Field& field = layout_.quasi[column];
            const bool last = column + 1 == tree_.columns() || g.left == 1;
            if (column > first && g.n >= merge_from && !last) merge_later(g, column, targets, depth);
            const Group<W> below{g.rows, g.n, child, column + 1, g.left - 1, g.sorted && g.column == column};
            if ((differing.word[field.word] & field.mask()) == 0) {
                note(below, differing, size, targets, depth + 1, summed);
            } else if (last && leaf_fits_[column]) {
                leaves(g, field, child, targets);
            } else {
                divide_by(field, below, targets, depth);
            }
            child += tree_.subtree(tree_.columns() - 1 - column, g.left - 1);
        }
    }

    // Forgets the columns before `column`, which makes more rows equal.
    void merge_later(Group<W>& g, int column, Targets targets, int depth) {
        Row<W> bits = later_[column];
        for (; targets != 0; targets &= targets - 1) include(bits, layout_.target[std::countr_zero(targets)]);
        Row<W>* rows = merged_[depth].reserve(g.n);
        if (g.rows != rows) std::copy_n(g.rows, g.n, rows);
        sort_rows(rows, scratch_.reserve(g.n), g.n, bits);
        g.n = merge_sorted(rows, g.n, bits, layout_.count);
        g.rows = rows;
        g.column = column;
        g.sorted = true;
    }

    // Notes the parts of a group by a field when no part can be divided further: no need to bring them together.
    void leaves(const Group<W>& g, const Field& field, std::uint64_t node, Targets targets) {
        if (targets == 0) return leaf_sizes(g, field, node);
        for (bool sized = false; targets != 0; targets &= targets - 1, sized = true) {
            const int target = std::countr_zero(targets);
            const Field& value = layout_.target[target];
            std::uint32_t* histogram = histograms_[target].data();
            const std::size_t width = value.low + 1;
            for (std::size_t i = 0; i < g.n; ++i) {
                const auto part = field.get(g.rows[i]);
                const auto count = static_cast<std::uint32_t>(layout_.count.get(g.rows[i]));
                auto& same = histogram[part * width + value.get(g.rows[i])];
                same += count;
                parts_[part].size += count;
                parts_[part].top = std::max(parts_[part].top, same);
            }
            std::uint64_t sum = 0;
            for (std::size_t i = 0; i < g.n; ++i) {
                const auto part = field.get(g.rows[i]);
                histogram[part * width + value.get(g.rows[i])] = 0;
                if (parts_[part].size == 0) continue;
                if (!sized) open.add_group(node, parts_[part].size);
                sum += parts_[part].top;
                parts_[part] = {0, 0};
            }
            open.add_top(node, target, sum);
        }
    }

    void leaf_sizes(const Group<W>& g, const Field& field, std::uint64_t node) {
        for (std::size_t i = 0; i < g.n; ++i)
            parts_[field.get(g.rows[i])].size += static_cast<std::uint32_t>(layout_.count.get(g.rows[i]));
        for (std::size_t i = 0; i < g.n; ++i) {
            auto& size = parts_[field.get(g.rows[i])].size;
            if (size != 0) open.add_group(node, std::exchange(size, 0));
        }
    }

    // Divides rows by one field; `part` is what all parts have in common.
    void divide_by(const Field& field, Group<W> part, Targets targets, int depth) {
        if (!part.sorted) part.rows = brought_together(field, part, depth);
        const Row<W>* end = part.rows + part.n;
        for (const Row<W>* first = part.rows; first != end;) {
            const Row<W>* next = first + 1;
            while (next != end && field.get(*next) == field.get(*first)) ++next;
            part.rows = first;
            part.n = static_cast<std::size_t>(next - first);
            group(part, targets, depth + 1);
            first = next;
        }
    }

    // The rows of a group, copied so that those with the same value of a field are neighbours.
    const Row<W>* brought_together(const Field& field, const Group<W>& g, int depth) {
        Row<W>* rows = divided_[depth].reserve(g.n);
        constexpr std::size_t most_values = 256;
        if (field.low >= most_values || field.low > 2 * g.n) {
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

template <int W>
class Sweep {
public:
    Sweep(const Layout& layout, const SubsetTree& tree, const std::vector<std::uint64_t>& target_cardinality, int threads,
          Monitor& monitor)
        : layout_(layout), tree_(tree), threads_(threads), monitor_(monitor) {
        for (int i = 0; i < threads; ++i) workers_.emplace_back(layout, tree, target_cardinality, monitor);
    }

    // The sums over all groups, for every node of the tree.
    Tally run(const Row<W>* cells, std::size_t n) {
        const Targets targets = (Targets{1} << layout_.target.size()) - 1;
        workers_[0].table(cells, n);
        std::uint64_t node = 1;
        Buffer<W> merged;
        for (int column = 0; column < tree_.columns() && tree_.max_size() > 0; ++column) {
            if (column > 0) {
                merged = without_columns_before(column, cells, n);
                cells = merged.data();
                n = merged.size();
            }
            parts(column, node, cells, n, targets);
            node += tree_.subtree(tree_.columns() - 1 - column, tree_.max_size() - 1);
        }
        return total();
    }

private:
    const Layout& layout_;
    const SubsetTree& tree_;
    int threads_;
    Monitor& monitor_;
    std::vector<Worker<W>> workers_;

    Buffer<W> without_columns_before(int column, const Row<W>* cells, std::size_t n) {
        Row<W> bits{};
        for (int c = column; c < tree_.columns(); ++c) include(bits, layout_.quasi[c]);
        for (const Field& field : layout_.target) include(bits, field);
        return Counting<W>(bits, layout_.count, threads_, monitor_).run(n, copy_of(cells));
    }

    // The groups of the subset of `column` alone, and all below, shared between the threads, largest first.
    void parts(int column, std::uint64_t node, const Row<W>* cells, std::size_t n, Targets targets) {
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
            workers_[worker].group(groups[task], targets, 1);
            monitor_.advance(share * static_cast<double>(groups[task].n));
        });
    }

    Tally total() {
        Tally sums(tree_.nodes(), layout_.target.size());
        Tally inherited(tree_.nodes(), layout_.target.size());
        tree_.each([&](std::uint64_t node, std::uint64_t parent, std::uint64_t) {
            if (node != 0) inherited.add(node, inherited, parent);
            for (const auto& worker : workers_) {
                inherited.add(node, worker.closed, node);
                sums.add(node, worker.open, node);
            }
            sums.add(node, inherited, node);
        });
        return sums;
    }
};

}  // namespace biombo
