// Nodes of a lattice that are asked for one by one, in families: those below a node that differ from it in few columns.
//
// The groups of the node that a family is below are made once, column by column; those of its members by splitting them
// further. Nothing is kept of any other node, so that a lattice may have any number of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "node_check.hpp"
#include "parallel.hpp"
#include "splitting.hpp"

namespace biombo {

// Nodes by family; of every node and of what its family is below there is a level for each column.
struct NodeFamilies {
    std::vector<std::vector<int>> heads;
    std::vector<std::vector<int>> nodes;
    std::vector<std::size_t> ends;  // per family: where it ends among the nodes
};

// What one thread needs to check families.
template <int W>
class FamilyWorker {
public:
    FamilyWorker(const Layout& layout, const std::vector<Steps>& steps, const std::vector<TargetValues>& targets,
                 const RowTable<W>& table, const LevelCodes& codes, const LatticeQuestion& question, LatticeResult& result,
                 Monitor& monitor)
        : layout_(layout),
          codes_(codes),
          question_(question),
          result_(result),
          monitor_(monitor),
          check_(layout, steps, targets, question, result),
          head_(table, layout.records()),
          member_(table, layout.records()) {}

    void visit(const NodeFamilies& families, std::size_t family) {
        const auto& head = families.heads[family];
        head_.join();
        bool hope = true;
        for (std::size_t column = head.size(); hope && column-- > 0;)
            if (codes_.number(column, head[column]) > 1) hope = split(head_, head_, column, head[column]);
        for (std::size_t node = family ? families.ends[family - 1] : 0; node < families.ends[family]; ++node) {
            if (monitor_.expired()) return;
            if (hope)
                visit_member(head, families.nodes[node], node);
            else
                result_.state[node] = hopeless_node;
        }
    }

private:
    const Layout& layout_;
    const LevelCodes& codes_;
    const LatticeQuestion& question_;
    LatticeResult& result_;
    Monitor& monitor_;
    NodeCheck<W> check_;
    Splitting<W> head_, member_;

    void visit_member(const std::vector<int>& head, const std::vector<int>& levels, std::size_t node) {
        const Splitting<W>* found = &head_;
        for (std::size_t column = levels.size(); column-- > 0;) {
            if (levels[column] == head[column]) continue;
            const bool hope = split(member_, *found, column, levels[column]);
            if (monitor_.expired()) return;
            if (!hope) {
                result_.state[node] = hopeless_node;
                return;
            }
            found = &member_;
        }
        SplitGroups<W> groups(*found, layout_, codes_, levels, !check_.only_k());
        if (!check_.run_over(groups, node, levels)) result_.state[node] = hopeless_node;
    }

    // Says whether there is any hope: groups that are too small stay so. Where time is over, nothing is done.
    bool split(Splitting<W>& splitting, const Splitting<W>& whole, std::size_t column, int level) {
        monitor_.check();
        if (monitor_.expired()) return true;
        splitting.split(whole, layout_.quasi[column], codes_.there(column, level), codes_.number(column, level));
        return splitting.below(check_.smallest_k()) <= question_.limit;
    }
};

}  // namespace biombo
