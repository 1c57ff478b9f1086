// Groups that lack something join the group, or borrow from the group, that costs the least for what it brings.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "draws.hpp"
#include "group_limits.hpp"
#include "parallel.hpp"
#include "recoded_groups.hpp"

namespace biombo {

class Gathering {
public:
    Gathering(RecodedGroups& groups, GroupDemand& demand, Monitor& monitor)
        : groups_(groups), limits_(groups, demand), monitor_(monitor) {}

    // Rounds in which each open group says what it would like best, and those who agree get it, the cheapest first.
    // `around` calls with each group that is near another one, and a cell of it. Prices are off by a share of `whim`.
    template <class Around>
    void run(std::vector<std::uint32_t> open, const Around& around, double whim, Draws& draws) {
        while (!open.empty()) {
            proposals_.clear();
            for (std::uint32_t group : open) {
                monitor_.check();
                Proposal best;
                const double lacking = limits_.lacks(group);
                std::uint32_t last = RecodedGroups::none;
                const auto off = [&] { return whim > 0 ? 1 + whim * draws.next() : 1; };
                around(group, [&](std::uint32_t other, std::uint32_t cell) {
                    if (other != last) propose_joining(group, other, lacking, off, best);
                    last = other;
                    propose_borrowing(group, other, cell, lacking, off, best);
                });
                if (best.price < never) proposals_.push_back(best);
            }
            if (!carry_out()) return;
            open = limits_.open(std::move(open));
        }
    }

    // Groups that have nobody near: each joins the one that loses the least by it, of all, or of a few where there are many.
    bool join_leftovers(const std::vector<std::uint32_t>& open) {
        std::vector<std::uint32_t> others;
        for (std::uint32_t group = 0; group < groups_.size(); ++group)
            if (groups_[group].size > 0) others.push_back(group);
        bool any = false;
        constexpr std::size_t affordable = std::size_t{1} << 27;
        const std::size_t step = 1 + open.size() * others.size() / affordable;
        for (std::size_t place = 0; place < open.size(); ++place) {
            monitor_.check();
            const std::uint32_t group = open[place];
            if (groups_[group].size == 0 || limits_.lacks(group) <= 0) continue;
            double least = never;
            std::uint32_t to = group;
            for (std::size_t i = place % step; i < others.size(); i += step) {
                const std::uint32_t other = others[i];
                if (other == group || groups_[other].size == 0) continue;
                const double more = lost_by_joining(group, other);
                if (more < least) least = more, to = other;
            }
            if (to == group) continue;
            groups_.merge(group, to);
            any = true;
        }
        return any;
    }

private:
    static constexpr double never = std::numeric_limits<double>::infinity();
    static constexpr double nothing = 1e-7;

    struct Proposal {
        double price = never;
        std::uint32_t group = 0, other = 0;
        std::uint32_t element = RecodedGroups::none;  // to borrow; none: the groups become one
        std::uint32_t count = 0;
        std::uint32_t version = 0, other_version = 0;
    };

    RecodedGroups& groups_;
    GroupLimits limits_;
    Monitor& monitor_;
    std::vector<Proposal> proposals_;

    double lost_by_joining(std::uint32_t group, std::uint32_t other) const {
        const RecodedGroup &a = groups_[group], &b = groups_[other];
        return static_cast<double>(a.size + b.size) * groups_.loss_together(group, other) - a.total() - b.total();
    }

    template <class Off>
    void propose_joining(std::uint32_t group, std::uint32_t other, double lacking, const Off& off, Proposal& best) {
        const double more = lost_by_joining(group, other);
        const RecodedGroup &a = groups_[group], &b = groups_[other];
        if (more >= best.price * 2 * lacking + nothing && limits_.only_size() && b.size >= limits_.k()) return;
        const double brought = lacking + limits_.lacks(other) - limits_.lack_together(group, other);
        if (brought <= 0) return;
        const double price = more / brought * off();
        if (price < best.price) best = {price, group, other, RecodedGroups::none, 0, a.version, b.version};
    }

    // What a group has more than it needs may be lent.
    template <class Off>
    void propose_borrowing(std::uint32_t group, std::uint32_t other, std::uint32_t cell, double lacking, const Off& off, Proposal& best) {
        const RecodedGroup &a = groups_[group], &b = groups_[other];
        if (b.size <= limits_.k()) return;
        const double loss = groups_.loss_with(group, cell);
        for (const Member& each : b.members) {
            if (groups_.cell_of(each.element) != cell) continue;
            const std::uint64_t wanted = limits_.only_size() ? static_cast<std::uint64_t>(lacking) : 1;
            const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>({each.count, b.size - limits_.k(), wanted}));
            const double more = (static_cast<double>(a.size) + count) * loss - a.total() - count * b.loss;
            const double asked = more * off();
            double brought = count;
            if (asked / brought >= best.price) continue;
            if (!limits_.only_size()) {
                brought = lacking - limits_.lacks_with(group, each.element, count);
                if (brought <= 0 || asked / brought >= best.price || !limits_.spares(other, each.element, count)) continue;
            }
            best = {asked / brought, group, other, each.element, count, a.version, b.version};
        }
    }

    bool carry_out() {
        std::stable_sort(proposals_.begin(), proposals_.end(), [](const Proposal& a, const Proposal& b) { return a.price < b.price; });
        bool any = false;
        for (const Proposal& each : proposals_) {
            if (groups_[each.group].version != each.version || groups_[each.other].version != each.other_version) continue;
            any = true;
            if (each.element == RecodedGroups::none)
                groups_.merge(each.group, each.other);
            else
                groups_.move(each.element, each.count, each.other, each.group);
        }
        return any;
    }
};

}  // namespace biombo
