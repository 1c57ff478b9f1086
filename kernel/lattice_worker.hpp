// The walk through a lattice of generalisations: a node is a level for each quasi column.
//
// Nodes are visited depth first, column by column, each from a table that is one step below it in one column. Levels are taken
// from the highest down, so that all nodes above a node come before it. Where too many records are in groups that fail what
// can only get worse further down (see Floor), everything below is left out: a node is hopeless when one above it is, and
// so is every node under a prefix of levels whose groups fail even with all other columns at their top.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "level_tables.hpp"
#include "node_check.hpp"
#include "parallel.hpp"
#include "pruning.hpp"
#include "roll_up.hpp"

namespace biombo {

// What one thread needs to visit nodes.
template <int W>
class LatticeWorker {
public:
    // `first` are the tables of the first column.
    LatticeWorker(const Layout& layout, const std::vector<Steps>& steps, const std::vector<TargetValues>& targets,
                  const LevelTables<W>& first, const LatticeQuestion& question, Pruning& pruning, LatticeResult& result,
                  Monitor& monitor)
        : layout_(layout),
          steps_(steps),
          first_(first),
          vectors_(steps),
          pruning_(pruning),
          monitor_(monitor),
          check_(layout, steps, targets, question, result),
          levels_(steps.size()),
          tables_(steps.size()) {
        Row<W> bits{};
        for (const Field& field : layout.quasi) {
            include(bits, field);
            up_to_.push_back(bits);
        }
        for (const Field& field : layout.target) include(bits, field);
        roll_up_ = RollUp<W>(bits, layout.count);
    }

    // Visits all nodes whose first columns, but never all, have the levels given. Tables that the last call made for the
    // same levels are used again.
    void visit_from(const std::vector<int>& first_levels) {
        std::size_t same = 0;
        while (same < path_.size() && path_[same] == first_levels[same]) ++same;
        path_.resize(same);
        made_ = std::min(made_, same + 1);
        RowTable<W> table = first_.at(0);
        std::uint64_t node = 0;
        for (std::size_t column = 0; column < first_levels.size(); ++column) {
            const std::uint64_t weight = vectors_.weight(column);
            const std::uint64_t next = node + weight * static_cast<std::uint64_t>(first_levels[column]);
            if (!pruning_.any_wanted(next, weight) || pruning_.hopeless(next + weight - 1)) return;
            if (column == made_) {
                make_tables(table, node, column);
                ++made_;
            }
            node = next;
            levels_[column] = first_levels[column];
            table = tables(column).at(levels_[column]);
            if (column < same) continue;
            if (!promising(table, node, column)) return;
            path_.push_back(levels_[column]);
        }
        visit(table, node, first_levels.size());
    }

private:
    const Layout& layout_;
    const std::vector<Steps>& steps_;
    const LevelTables<W>& first_;
    LevelVectors vectors_;
    Pruning& pruning_;
    Monitor& monitor_;
    NodeCheck<W> check_;
    std::vector<int> levels_;
    std::vector<Row<W>> up_to_;  // per column: its bits and those of all before it
    RollUp<W> roll_up_{Row<W>{}, Field{}};
    std::vector<LevelTables<W>> tables_;  // per column, for the levels that those before it have now; none for the first
    std::vector<int> path_;               // the levels that the last call began with, as far as they were promising
    std::size_t made_ = 1;                // the columns that have tables for that path

    const LevelTables<W>& tables(std::size_t column) const { return column == 0 ? first_ : tables_[column]; }

    // All nodes whose columns before `column` have the levels of now; the table has all others at level 0.
    void visit(const RowTable<W>& table, std::uint64_t node, std::size_t column) {
        if (column + 1 >= steps_.size()) {
            visit_last(table, node);
            return;
        }
        make_tables(table, node, column);
        const std::uint64_t weight = vectors_.weight(column);
        for (int level = tables_[column].highest(); level >= 0; --level) {
            const std::uint64_t first = node + weight * static_cast<std::uint64_t>(level);
            if (!pruning_.any_wanted(first, weight)) continue;
            if (!promising(tables_[column].at(level), first, column)) break;
            levels_[column] = level;
            visit(tables_[column].at(level), first, column + 1);
        }
    }

    // The nodes that differ in the last column only.
    void visit_last(const RowTable<W>& table, std::uint64_t node) {
        for (int level = steps_.empty() ? 0 : steps_.back().height(); level >= 0; --level) {
            const std::uint64_t here = node + static_cast<std::uint64_t>(level);
            if (!pruning_.any_wanted(here, 1)) continue;
            monitor_.check();
            if (monitor_.expired() || pruning_.hopeless(here)) break;
            if (!steps_.empty()) levels_.back() = level;
            if (!check_.run(table, here, levels_)) {
                pruning_.give_up(here);
                break;
            }
        }
    }

    // Is there anything to be found with the columns up to `column` at the levels that begin at `node`, or at lower ones?
    bool promising(const RowTable<W>& table, std::uint64_t node, std::size_t column) {
        monitor_.check();
        const std::uint64_t top = node + vectors_.weight(column) - 1;
        if (monitor_.expired() || pruning_.hopeless(top)) return false;
        const bool checked_next = column + 2 == steps_.size();
        if (checked_next || !check_.too_small(table, up_to_[column])) return true;
        pruning_.give_up(top);
        return false;
    }

    void make_tables(const RowTable<W>& table, std::uint64_t node, std::size_t column) {
        const std::uint64_t weight = vectors_.weight(column);
        int highest = steps_[column].height();
        while (highest > 0 && !pruning_.any_wanted(node + weight * static_cast<std::uint64_t>(highest), weight)) --highest;
        tables_[column].make(table, layout_.quasi[column], steps_[column].up, up_to_[column], highest, roll_up_);
    }
};

}  // namespace biombo
