// Groups lose less: they are split, their records move or change places, or they are given up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "group_limits.hpp"
#include "parallel.hpp"
#include "recoded_groups.hpp"
#include "recoding_space.hpp"

namespace biombo {

// Groups that have records near to those of a cell, or the same.
//
// `Around` has `look(cell, besides, look)`, which calls with each of them once, and `add(group)` for a new one.
template <class Around>
class Improvement {
public:
    static constexpr double nothing = 1e-7;     // what is gained must be more than noise of floating point
    static constexpr std::size_t largest = 24;  // members of groups among which records change places

    Improvement(const RecodingSpace& space, RecodedGroups& groups, GroupDemand& demand, Around& around, Monitor& monitor)
        : space_(space), groups_(groups), limits_(groups, demand), around_(around), monitor_(monitor) {}

    // How much less is lost.
    double run(std::uint32_t group) {
        if (!groups_.loses(group)) return 0;
        double gained = split(group);
        gained += move_out(group);
        return groups_[group].size > 0 ? gained + give_up(group) : gained;
    }

private:
    static constexpr std::size_t most_moved = 1024;   // members of groups of which each is asked whether it should go
    static constexpr std::size_t most_judged = 4096;  // members of groups that are split where each cut is judged by rules
    static constexpr double never = std::numeric_limits<double>::infinity();

    struct Exchange {
        double gain = nothing;
        std::uint32_t to = RecodedGroups::none, back = RecodedGroups::none, count = 0;
    };

    const RecodingSpace& space_;
    RecodedGroups& groups_;
    GroupLimits limits_;
    Around& around_;
    Monitor& monitor_;

    // ---- moving

    // Each record goes where less is lost, alone or in exchange for another one.
    double move_out(std::uint32_t group) {
        double gained = 0;
        if (groups_[group].members.size() > most_moved) return 0;
        for (std::size_t i = 0; i < groups_[group].members.size();) {
            monitor_.check();
            if (!groups_.loses(group)) break;
            const Member member = groups_[group].members[i];
            const Exchange best = best_exchange(group, i);
            if (best.to == RecodedGroups::none) {
                ++i;
                continue;
            }
            const double before = groups_[group].total() + groups_[best.to].total();
            groups_.move(member.element, best.count, group, best.to);
            if (best.back != RecodedGroups::none) groups_.move(best.back, 1, best.to, group);
            gained += before - groups_[group].total() - groups_[best.to].total();
        }
        return gained;
    }

    Exchange best_exchange(std::uint32_t group, std::size_t place) {
        Exchange best;
        const RecodedGroup& from = groups_[group];
        const Member member = from.members[place];
        const std::uint32_t cell = groups_.cell_of(member.element);
        const std::uint32_t count = spared(group, member);
        const bool exchanges = from.members.size() <= largest;
        double saved = 0, relief = 0;
        if (count > 0) saved = from.total() - static_cast<double>(from.size - count) * groups_.loss_without(group, member.element, count);
        if (exchanges) relief = static_cast<double>(from.size) * (from.loss - groups_.without_one(group).losses[place]);
        around_.look(cell, group, [&](std::uint32_t other) {
            const RecodedGroup& to = groups_[other];
            if (count > 0 && saved > best.gain) {
                const double gain = saved - (static_cast<double>(to.size + count) * groups_.loss_with(other, cell) - to.total());
                if (gain > best.gain && limits_.may_take(other, member.element, count)) best = {gain, other, RecodedGroups::none, count};
            }
            if (exchanges) consider_exchange(group, place, relief, other, best);
        });
        return best;
    }

    // How many records of a member the group can do without; all or none where that is judged by rules.
    std::uint32_t spared(std::uint32_t group, const Member& member) const {
        const std::uint64_t size = groups_[group].size;
        if (limits_.only_size()) return static_cast<std::uint32_t>(std::min<std::uint64_t>(member.count, size - std::min(size, limits_.k())));
        return limits_.spares(group, member.element, member.count) ? member.count : 0;
    }

    // Whoever comes makes neither group better: what both gain by those who leave is the most that there is to gain.
    void consider_exchange(std::uint32_t group, std::size_t place, double relief, std::uint32_t other, Exchange& best) {
        const RecodedGroup &from = groups_[group], &to = groups_[other];
        if (to.members.size() > largest || !groups_.loses(other)) return;
        const GroupWithout& without = groups_.without_one(other);
        const auto to_size = static_cast<double>(to.size), from_size = static_cast<double>(from.size);
        if (relief + to_size * (to.loss - without.least) <= best.gain) return;
        const Member& member = from.members[place];
        const std::uint32_t cell = groups_.cell_of(member.element);
        const double before = from.total() + to.total();
        for (std::size_t i = 0; i < to.members.size(); ++i) {
            const Member& back = to.members[i];
            const std::uint32_t cell_back = groups_.cell_of(back.element);
            if (cell_back == cell) continue;
            if (relief + to_size * (to.loss - without.losses[i]) <= best.gain) continue;
            const double there = to_size * groups_.loss_instead(other, i, cell);
            if (before - there <= best.gain) continue;
            const double gain = before - there - from_size * groups_.loss_instead(group, place, cell_back);
            if (gain > best.gain && limits_.may_exchange(group, member.element, back.element) &&
                limits_.may_exchange(other, back.element, member.element))
                best = {gain, other, back.element, 1};
        }
    }

    // ---- giving up

    // All of its records go to other groups.
    double give_up(std::uint32_t group) {
        const std::vector<Member> members = groups_[group].members;
        if (members.size() > largest) return 0;
        double left = groups_[group].total();
        std::vector<std::uint32_t> to;
        for (const Member& each : members) {
            double least = never;
            std::uint32_t best = RecodedGroups::none;
            const std::uint32_t cell = groups_.cell_of(each.element);
            around_.look(cell, group, [&](std::uint32_t other) {
                const RecodedGroup& there = groups_[other];
                const double more = static_cast<double>(there.size + each.count) * groups_.loss_with(other, cell) - there.total();
                if (more < least && limits_.may_take(other, each.element, each.count)) least = more, best = other;
            });
            left -= least;
            if (left <= nothing) return 0;
            to.push_back(best);
        }
        return carried_through(group, members, to);
    }

    // Several records may go to one group: whether that is good, and allowed, is seen when it is done.
    double carried_through(std::uint32_t group, const std::vector<Member>& members, const std::vector<std::uint32_t>& to) {
        std::vector<std::uint32_t> touched(to);
        touched.push_back(group);
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        const double before = groups_.total_of(touched);
        for (std::size_t i = 0; i < members.size(); ++i) groups_.move(members[i].element, members[i].count, group, to[i]);
        const double gain = before - groups_.total_of(touched);
        if (gain > nothing && limits_.open(touched).empty()) return gain;
        for (std::size_t i = members.size(); i-- > 0;) groups_.move(members[i].element, members[i].count, to[i], group);
        return 0;
    }

    // ---- splitting

    // Two groups out of one: around two records that are far apart, cut where the least is lost.
    double split(std::uint32_t group) {
        const RecodedGroup& whole = groups_[group];
        if (whole.size < 2 * std::max<std::uint64_t>(limits_.k(), 1) || whole.members.size() < 2) return 0;
        if (!limits_.only_size() && whole.members.size() > most_judged) return 0;
        const std::vector<Member> sides = by_side(whole.members);
        const auto [gain, cut] = best_cut(sides, whole);
        if (cut == 0) return 0;
        const std::uint32_t fresh = groups_.empty_group();
        groups_.part(group, fresh, sides, cut);
        around_.add(fresh);
        return gain;
    }

    std::vector<Member> by_side(const std::vector<Member>& members) const {
        const auto distance = [&](const Member& a, const Member& b) {
            return space_.distance(groups_.cell_of(a.element), groups_.cell_of(b.element), 1e30f);
        };
        const auto farthest = [&](const Member& from) {
            return *std::max_element(members.begin(), members.end(),
                                     [&](const Member& a, const Member& b) { return distance(from, a) < distance(from, b); });
        };
        const Member one = farthest(members[0]), other = farthest(one);
        std::vector<std::pair<float, Member>> placed;
        for (const Member& each : members) placed.push_back({distance(one, each) - distance(other, each), each});
        std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<Member> sides;
        for (const auto& each : placed) sides.push_back(each.second);
        return sides;
    }

    // After how many records, and what is gained by that; 0 where nothing is. An element may have records on either side.
    std::pair<double, std::uint64_t> best_cut(const std::vector<Member>& sides, const RecodedGroup& whole) {
        const std::vector<double> before = groups_.losses(sides.begin(), sides.end());
        const std::vector<double> behind = groups_.losses(sides.rbegin(), sides.rend());
        const auto gain = [&](std::size_t last, std::size_t next, std::uint64_t cut) {
            return whole.total() - static_cast<double>(cut) * before[last] -
                   static_cast<double>(whole.size - cut) * behind[sides.size() - 1 - next];
        };
        std::pair<double, std::uint64_t> best{nothing, 0};
        const auto consider = [&](double gained, std::uint64_t cut) {
            if (gained > best.first && limits_.may_cut(sides, cut)) best = {gained, cut};
        };
        std::uint64_t start = 0;
        for (std::size_t i = 0; i < sides.size(); start += sides[i++].count) {
            const std::uint64_t end = start + sides[i].count, least = limits_.k(), most = whole.size - limits_.k();
            if (i + 1 < sides.size() && end >= least && end <= most) consider(gain(i, i + 1, end), end);
            if (!limits_.only_size()) continue;
            for (const std::uint64_t cut : {least, most})
                if (start < cut && cut < end) consider(gain(i, i, cut), cut);
        }
        return best;
    }
};

}  // namespace biombo
