// The cheapest pattern of a cell: along each column from its leaf up, and from another leaf up to where both meet.
#pragma once

#include <iterator>

#include "category_tree.hpp"
#include "pattern_prices.hpp"

namespace biombo {

class PatternSearch {
public:
    PatternSearch(const std::vector<CategoryTree>& trees, const PatternPrices& prices)
        : trees_(trees), prices_(prices), strides_(prices.strides()), axes_(trees.size()) {}

    // From now on nothing more is left out.
    void close() { closed_ = true; }

    std::vector<std::int64_t> places(std::int64_t cell) const {
        std::vector<std::int64_t> found;
        for (std::size_t axis = 0; axis < trees_.size(); ++axis) {
            found.push_back(cell / strides_[axis]);
            cell %= strides_[axis];
        }
        return found;
    }

    // The cells of the cheapest pattern through a leaf whose two sides meet, along each column, at a level; above the
    // total they never do. None where all are forbidden. Those that need nothing more to be left out are looked for first,
    // since that takes much less time.
    std::vector<std::int64_t> cheapest(const std::vector<std::int64_t>& leaf, const std::vector<int>& meet) {
        for (std::size_t axis = 0; axis < axes_.size(); ++axis) set_route(axis, leaf[axis], meet[axis]);
        set_later();
        free_ = true;
        auto found = weighed(closed_ ? std::size(ways) : 1);
        if (!found.empty() || closed_) return found;
        free_ = false;
        return weighed(std::size(ways));
    }

private:
    static constexpr double ways[] = {1 << 12, 1 << 18, 1 << 24};  // so many patterns are weighed where fewer were forbidden

    struct Candidate {
        double price;
        std::int64_t leaf;
        bool operator<(const Candidate& other) const {
            return price < other.price || (price == other.price && leaf < other.leaf);
        }
    };
    struct Reached {
        std::int64_t offset;
        int crossed;
    };
    struct Axis {
        std::int64_t leaf = 0;
        int meet = 0;
        bool turns = false;                     // does the pattern go over to another leaf?
        std::vector<std::int64_t> more;         // offsets of the categories along the leaf's path
        std::vector<std::int64_t> elsewhere;    // offsets along the leaf's paths of all other columns
        std::vector<Candidate> candidates;      // other leaves, the cheapest first
        std::int64_t chosen = 0, best = 0;      // one of them
        std::vector<Reached> reached;           // by the columns before: where patterns are, with what was chosen
    };

    const std::vector<CategoryTree>& trees_;
    const PatternPrices& prices_;
    std::vector<std::int64_t> strides_;
    std::vector<Axis> axes_;
    std::vector<std::vector<std::int64_t>> later_;  // by column: offsets along the leaf's paths of it and those behind it
    double best_ = never;
    bool closed_ = false;
    bool free_ = false;  // are only patterns looked for in which all is left out already?

    double price(std::int64_t cell, int crossed) const {
        return free_ ? prices_.of_hidden(cell, crossed) : prices_.of(cell, crossed);
    }

    // The cheapest pattern along the routes that are set. Where there are very many, those are weighed first that begin
    // best; more in each turn, where all were forbidden.
    std::vector<std::int64_t> weighed(std::size_t turns) {
        double uncrossed = 0.0;
        for (const std::int64_t cell : later_.front()) uncrossed += price(cell, 0);
        if (uncrossed == never) return {};
        for (std::size_t turn = 0; turn < turns; ++turn) {
            bool all = true;
            if (!set_candidates(ways[turn], all)) return {};
            best_ = never;
            choose(0, uncrossed);
            if (best_ < never) return cells();
            if (all) return {};
        }
        return {};
    }

    void set_route(std::size_t number, std::int64_t leaf, int meet) {
        Axis& axis = axes_[number];
        const CategoryTree& tree = trees_[number];
        axis.leaf = leaf;
        axis.meet = meet;
        axis.turns = meet <= tree.height();
        axis.more.clear();
        for (int level = 0; level < meet; ++level) axis.more.push_back(tree.ancestor(leaf, level) * strides_[number]);
    }

    void set_later() {
        later_.assign(axes_.size() + 1, {0});
        for (std::size_t axis = axes_.size(); axis-- > 0;) later_[axis] = sums(axes_[axis].more, later_[axis + 1]);
        std::vector<std::int64_t> before{0};
        for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
            axes_[axis].elsewhere = sums(before, later_[axis + 1]);
            before = sums(before, axes_[axis].more);
        }
    }

    static std::vector<std::int64_t> sums(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
        std::vector<std::int64_t> found;
        found.reserve(a.size() * b.size());
        for (const std::int64_t x : a)
            for (const std::int64_t y : b) found.push_back(x + y);
        return found;
    }

    const std::vector<std::int64_t>& around(std::size_t number) const {
        const Axis& axis = axes_[number];
        return trees_[number].leaves_under(trees_[number].ancestor(axis.leaf, axis.meet));
    }

    // The other leaves that patterns may go over to, so many of each column that `most` patterns are weighed; whether
    // these are `all`. False where a column has none.
    bool set_candidates(double most, bool& all) {
        double patterns = 1.0;
        int turns = 0;
        for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
            if (!axes_[axis].turns) continue;
            patterns *= static_cast<double>(around(axis).size());
            ++turns;
        }
        const double each = patterns <= most ? never : std::floor(std::pow(most, 1.0 / turns) + 1e-9);
        for (std::size_t axis = 0; axis < axes_.size(); ++axis)
            if (axes_[axis].turns && !set_candidates_of(axis, each, all)) return false;
        return true;
    }

    bool set_candidates_of(std::size_t number, double each, bool& all) {
        Axis& axis = axes_[number];
        const CategoryTree& tree = trees_[number];
        const std::int64_t own = tree.ancestor(axis.leaf, axis.meet - 1);
        auto& found = axis.candidates;
        found.clear();
        const std::uint8_t* marks = free_ ? prices_.marks(number, axis.elsewhere.front()) : nullptr;
        const std::uint8_t least = prices_.least_mark();
        double free = 0;
        for (const std::int64_t leaf : around(number)) {
            if ((marks && marks[leaf] < least) || tree.ancestor(leaf, axis.meet - 1) == own) continue;
            if (free >= each) {  // nothing that follows can be better
                all = false;
                break;
            }
            const double sum = alone_price(number, leaf);
            if (sum == never) continue;
            found.push_back({sum, leaf});
            free += sum == 0.0;
        }
        if (static_cast<double>(found.size()) > each) {
            all = false;
            std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(each), found.end());
            found.resize(static_cast<std::size_t>(each));
        }
        std::sort(found.begin(), found.end());
        return !found.empty();
    }

    // What a pattern costs where it went over to this leaf and in no other column.
    double alone_price(std::size_t number, std::int64_t leaf) const {
        const Axis& axis = axes_[number];
        double sum = 0.0;
        for (int level = 0; level < axis.meet; ++level) {
            const std::int64_t offset = trees_[number].ancestor(leaf, level) * strides_[number];
            for (const std::int64_t rest : axis.elsewhere) {
                sum += price(offset + rest, 1);
                if (sum == never) return never;
            }
        }
        return sum;
    }

    // Tries the candidates of this column and those behind it, as long as they can cost less than the best so far.
    void choose(std::size_t number, double sum) {
        if (number == axes_.size()) {
            if (sum >= best_) return;
            best_ = sum;
            for (auto& axis : axes_) axis.best = axis.chosen;
            return;
        }
        Axis& axis = axes_[number];
        if (number == 0) axis.reached = {{0, 0}};
        if (!axis.turns) {
            reach(number, -1);
            return choose(number + 1, sum);
        }
        double rest = 0.0;
        for (std::size_t behind = number + 1; behind < axes_.size(); ++behind)
            if (axes_[behind].turns) rest += axes_[behind].candidates.front().price;
        for (const Candidate& candidate : axis.candidates) {
            const double least = sum + candidate.price;
            if (least + rest >= best_) break;
            const double reached = least + crossing_price(number, candidate.leaf, best_ - least - rest);
            if (reached + rest >= best_) continue;
            axis.chosen = candidate.leaf;
            reach(number, candidate.leaf);
            choose(number + 1, reached);
        }
    }

    // What a pattern costs besides where it went over to this leaf and in some column before; anything from `most` on
    // where that is reached.
    double crossing_price(std::size_t number, std::int64_t leaf, double most) const {
        const Axis& axis = axes_[number];
        double sum = 0.0;
        for (const Reached& before : axis.reached) {
            if (before.crossed == 0) continue;
            for (int level = 0; level < axis.meet; ++level) {
                const std::int64_t offset = before.offset + trees_[number].ancestor(leaf, level) * strides_[number];
                for (const std::int64_t rest : later_[number + 1]) {
                    sum += price(offset + rest, before.crossed + 1);
                    if (sum >= most) return never;
                }
            }
        }
        return sum;
    }

    // Where the next column's part of patterns begins, with this leaf chosen; -1 where the pattern does not turn.
    void reach(std::size_t number, std::int64_t leaf) {
        if (number + 1 == axes_.size()) return;
        const Axis& axis = axes_[number];
        auto& next = axes_[number + 1].reached;
        next.clear();
        for (const Reached& before : axis.reached) {
            for (const std::int64_t offset : axis.more) next.push_back({before.offset + offset, before.crossed});
            if (leaf < 0) continue;
            for (int level = 0; level < axis.meet; ++level)
                next.push_back({before.offset + trees_[number].ancestor(leaf, level) * strides_[number], before.crossed + 1});
        }
    }

    // The cells of the best pattern.
    std::vector<std::int64_t> cells() const {
        std::vector<std::int64_t> found{0};
        for (std::size_t number = 0; number < axes_.size(); ++number) {
            const Axis& axis = axes_[number];
            std::vector<std::int64_t> steps = axis.more;
            for (int level = 0; axis.turns && level < axis.meet; ++level)
                steps.push_back(trees_[number].ancestor(axis.best, level) * strides_[number]);
            found = sums(found, steps);
        }
        return found;
    }
};

}  // namespace biombo
