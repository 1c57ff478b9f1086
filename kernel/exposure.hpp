// What a sweep finds for attribute inference and re-identification: groups by size, and each target's top counts.
//
// A target with a single value in a group keeps that top count in the whole subtree: it is closed, while the group is
// still divided for the sake of the group counts.
#pragma once

#include <array>
#include <bit>

#include "sweep.hpp"
#include "tally.hpp"

namespace biombo {

inline constexpr std::size_t most_targets = 40;

// `Count` is wide enough for the number of all records.
template <int W, class Count>
class Exposure {
public:
    // The targets that are not closed, a bit each. A group is worth dividing even when none is left.
    struct Open {
        std::uint64_t targets;
        explicit operator bool() const { return true; }
    };

    struct Summary {
        std::uint64_t size;
        std::array<std::uint64_t, most_targets> top;  // of the open targets
    };

    Exposure(const Layout& layout, const SubsetTree& tree, const std::vector<std::uint64_t>& target_cardinality)
        : open_(tree.nodes(), layout.target.size()), closed_(tree.nodes(), layout.target.size()), layout_(layout) {
        for (const Field& field : layout.quasi) leaf_fits_.push_back(leaf_fits(field));
        for (auto cardinality : target_cardinality) histograms_.emplace_back(std::max(cardinality, leaf_cells));
    }

    const Tally& open() const { return open_; }      // of groups, for their node alone
    const Tally& closed() const { return closed_; }  // of groups, for their node and all below

    // The table as a whole: the only group of the empty subset.
    void table(const Row<W>* rows, std::size_t n) {
        open_.add_group(0, records(rows, n));
        for (int target = 0; target < static_cast<int>(layout_.target.size()); ++target)
            open_.add_top(0, target, top_count(rows, n, target));
    }

    void single(const Group<W>& g, Open open) {
        const std::uint64_t size = layout_.count.get(g.rows[0]);
        closed_.add_group(g.node, size);
        for (; open.targets != 0; open.targets &= open.targets - 1)
            closed_.add_top(g.node, std::countr_zero(open.targets), size);
    }

    Summary summarise(const Group<W>& g, const Row<W>& differing, Open& open) {
        Summary summary;
        summary.size = records(g.rows, g.n);
        for (std::uint64_t rest = open.targets; rest != 0; rest &= rest - 1) {
            const int target = std::countr_zero(rest);
            const Field& field = layout_.target[target];
            if (differing.word[field.word] & field.mask()) {
                summary.top[target] = top_count(g.rows, g.n, target);
            } else {
                closed_.add_top(g.node, target, summary.size);
                open.targets &= ~(std::uint64_t{1} << target);
            }
        }
        return summary;
    }

    void note(std::uint64_t node, const Summary& summary, Open open, bool closed) {
        Tally& tally = closed ? closed_ : open_;
        tally.add_group(node, summary.size);
        for (; open.targets != 0; open.targets &= open.targets - 1) {
            const int target = std::countr_zero(open.targets);
            tally.add_top(node, target, summary.top[target]);
        }
    }

    void include_values(Row<W>& bits, Open open) const {
        for (; open.targets != 0; open.targets &= open.targets - 1)
            include(bits, layout_.target[std::countr_zero(open.targets)]);
    }

    // The parts by the last column need not be brought together when part × value pairs can be counted side by side.
    bool leaves(const Group<W>& g, const Field& field, int column, Open open) {
        if (!leaf_fits_[column]) return false;
        if (open.targets == 0) leaf_sizes(g, field);
        for (bool sized = false; open.targets != 0; open.targets &= open.targets - 1, sized = true)
            leaf_tops(g, field, std::countr_zero(open.targets), sized);
        return true;
    }

private:
    static constexpr std::uint64_t leaf_cells = 1 << 16;

    struct Part {
        Count size = 0;
        Count top = 0;
    };

    Tally open_;
    Tally closed_;
    const Layout& layout_;
    std::vector<std::vector<Count>> histograms_;
    std::vector<Part> parts_ = std::vector<Part>(leaf_cells);
    std::vector<bool> leaf_fits_;

    bool leaf_fits(const Field& field) const {
        bool fits = field.low < leaf_cells;
        for (const Field& value : layout_.target) fits = fits && (field.low + 1) * (value.low + 1) <= leaf_cells;
        return fits;
    }

    std::uint64_t records(const Row<W>* rows, std::size_t n) const {
        std::uint64_t size = 0;
        for (std::size_t i = 0; i < n; ++i) size += layout_.count.get(rows[i]);
        return size;
    }

    std::uint64_t top_count(const Row<W>* rows, std::size_t n, int target) {
        const Field& field = layout_.target[target];
        Count* histogram = histograms_[target].data();
        Count most = 0;
        for (std::size_t i = 0; i < n; ++i) {
            auto& count = histogram[field.get(rows[i])];
            count += static_cast<Count>(layout_.count.get(rows[i]));
            most = std::max(most, count);
        }
        for (std::size_t i = 0; i < n; ++i) histogram[field.get(rows[i])] = 0;
        return most;
    }

    void leaf_tops(const Group<W>& g, const Field& field, int target, bool sized) {
        const Field& value = layout_.target[target];
        Count* histogram = histograms_[target].data();
        const std::size_t width = value.low + 1;
        for (std::size_t i = 0; i < g.n; ++i) {
            const auto count = static_cast<Count>(layout_.count.get(g.rows[i]));
            const auto place = field.get(g.rows[i]);
            auto& same = histogram[place * width + value.get(g.rows[i])];
            same += count;
            parts_[place].size += count;
            parts_[place].top = std::max(parts_[place].top, same);
        }
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < g.n; ++i) {
            const auto place = field.get(g.rows[i]);
            histogram[place * width + value.get(g.rows[i])] = 0;
            if (parts_[place].size == 0) continue;
            if (!sized) open_.add_group(g.node, parts_[place].size);
            sum += parts_[place].top;
            parts_[place] = {};
        }
        open_.add_top(g.node, target, sum);
    }

    void leaf_sizes(const Group<W>& g, const Field& field) {
        for (std::size_t i = 0; i < g.n; ++i)
            parts_[field.get(g.rows[i])].size += static_cast<Count>(layout_.count.get(g.rows[i]));
        for (std::size_t i = 0; i < g.n; ++i) {
            auto& size = parts_[field.get(g.rows[i])].size;
            if (size != 0) open_.add_group(g.node, std::exchange(size, 0));
        }
    }
};

}  // namespace biombo
