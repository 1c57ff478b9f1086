// Groups are told more precisely in a column: the few who stand against it go wherever they cost the least, and others who
// fit come, from groups that can do without them or that take one of the few in exchange.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "draws.hpp"
#include "group_limits.hpp"
#include "near_groups.hpp"
#include "parallel.hpp"
#include "recoded_groups.hpp"
#include "recoding_space.hpp"

namespace biombo {

class Narrowing {
public:
    Narrowing(const RecodingSpace& space, RecodedGroups& groups, GroupDemand& demand, NearGroups& around, Monitor& monitor)
        : space_(space), groups_(groups), limits_(groups, demand), around_(around), monitor_(monitor) {}

    // Looks for the groups that lose the most: they are wide enough for almost anybody.
    void begin() {
        std::vector<std::pair<double, std::uint32_t>> found;
        for (std::uint32_t group = 0; group < groups_.size(); ++group)
            if (groups_[group].size > 0) found.push_back({-groups_[group].loss, group});
        const std::size_t most = std::min(found.size(), widest);
        std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(most), found.end());
        wide_.clear();
        for (std::size_t i = 0; i < most; ++i) wide_.push_back(found[i].second);
    }

    // Tries it in each column. With some leeway a little more may be lost than before.
    void run(std::uint32_t group, double leeway) {
        for (std::size_t column = 0; column < space_.columns(); ++column)
            for (std::uint8_t level = 0; groups_[group].size > 0 && level < groups_.levels(group)[column]; ++level) {
                monitor_.check();
                if (!find_leaving(group, column, level)) continue;
                moves_.clear();
                if (narrow(group, leeway > 0 ? -leeway * std::log(1 - draws_.next()) : -nothing)) continue;
                for (std::size_t i = moves_.size(); i-- > 0;) groups_.move(moves_[i].element, moves_[i].count, moves_[i].to, moves_[i].from);
            }
    }

private:
    static constexpr double nothing = 1e-7;
    static constexpr double never = std::numeric_limits<double>::infinity();
    static constexpr std::size_t widest = 64;         // groups that anybody may go to
    static constexpr std::size_t most_members = 24;   // of groups that are narrowed, or give one of them
    static constexpr std::uint64_t most_leaving = 7;  // records

    struct Move {
        std::uint32_t element, count, from, to;
    };

    // Somebody who comes, and whether the one who leaves goes where that one was.
    struct Newcomer {
        double more = never;  // is lost then
        std::uint32_t element = 0, from = 0;
        bool in_exchange = false;
    };

    const RecodingSpace& space_;
    RecodedGroups& groups_;
    GroupLimits limits_;
    NearGroups& around_;
    Monitor& monitor_;
    std::vector<std::uint32_t> wide_;
    std::vector<Move> moves_;
    std::vector<Member> leaving_;
    Draws draws_;

    // Those who are not like most others at a level; are they few?
    bool find_leaving(std::uint32_t group, std::size_t column, std::uint8_t level) {
        const std::vector<Member>& members = groups_[group].members;
        if (members.size() > most_members) return false;
        const auto value = [&](const Member& each) { return space_.group(column, space_.codes(groups_.cell_of(each.element))[column], level); };
        std::uint64_t most = 0;
        std::uint32_t kept = 0;
        for (const Member& each : members) {
            std::uint64_t alike = 0;
            for (const Member& other : members)
                if (value(other) == value(each)) alike += other.count;
            if (alike > most) most = alike, kept = value(each);
        }
        if (groups_[group].size - most > most_leaving) return false;
        leaving_.clear();
        for (const Member& each : members)
            if (value(each) != kept) leaving_.push_back(each);
        return true;
    }

    // Is what is lost then, more than before, below `allowed`, and are all groups what they must be?
    bool narrow(std::uint32_t group, double allowed) {
        const double before = groups_[group].total();
        const std::uint32_t outside = groups_.empty_group();
        for (const Member& each : leaving_) move({each.element, each.count, group, outside});
        double more = groups_[group].total() - before;
        for (const Member& each : leaving_)
            for (std::uint32_t i = 0; i < each.count && more < allowed; ++i) more += place(each.element, outside, group);
        return groups_[outside].size == 0 && more < allowed && all_are_fine();
    }

    void move(const Move& move) {
        groups_.move(move.element, move.count, move.from, move.to);
        moves_.push_back(move);
    }

    // Finds a place for one record that left the group, and one for it where the group is too small; how much more is lost.
    double place(std::uint32_t element, std::uint32_t outside, std::uint32_t group) {
        const std::uint32_t cell = groups_.cell_of(element);
        const auto [more, to] = widening_least(cell, outside, group);
        if (groups_[group].size >= limits_.k()) {
            if (to != RecodedGroups::none) move({element, 1, outside, to});
            return more;
        }
        const Newcomer best = best_newcomer(group, outside, cell, more);
        if (best.more == never) return never;
        move({best.element, 1, best.from, group});
        move({element, 1, outside, best.in_exchange ? best.from : to});
        return best.more;
    }

    // Which group loses the least when a record of a cell comes, and how much.
    std::pair<double, std::uint32_t> widening_least(std::uint32_t cell, std::uint32_t outside, std::uint32_t group) {
        double least = never;
        std::uint32_t to = RecodedGroups::none;
        const auto consider = [&](std::uint32_t other) {
            const RecodedGroup& there = groups_[other];
            if (other == outside || other == group || there.size == 0) return;
            const double more = static_cast<double>(there.size + 1) * groups_.loss_with(other, cell) - there.total();
            if (more < least) least = more, to = other;
        };
        around_.look(cell, group, consider);
        for (std::uint32_t other : wide_) consider(other);
        return {least, to};
    }

    // Who comes at the least cost, that of the one who leaves included: it costs `elsewhere` if not in exchange.
    Newcomer best_newcomer(std::uint32_t group, std::uint32_t outside, std::uint32_t leaving, double elsewhere) {
        Newcomer best;
        const RecodedGroup& to = groups_[group];
        for (const Member& each : to.members)
            around_.look_at_cells(groups_.cell_of(each.element), group, [&](std::uint32_t other, std::uint32_t cell) {
                const RecodedGroup& from = groups_[other];
                if (other == outside || from.members.size() > most_members) return;
                const double here = static_cast<double>(to.size + 1) * groups_.loss_with(group, cell) - to.total();
                const GroupWithout& without = groups_.without_one(other);
                const auto size = static_cast<double>(from.size);
                if (here - size * (from.loss - without.least) - from.loss >= best.more) return;
                for (std::size_t i = 0; i < from.members.size(); ++i) {
                    const std::uint32_t element = from.members[i].element;
                    if (groups_.cell_of(element) != cell) continue;
                    if (from.size > limits_.k() && limits_.spares(other, element, 1)) {
                        const double more = here + elsewhere + (size - 1) * without.losses[i] - from.total();
                        if (more < best.more) best = {more, element, other, false};
                    }
                    if (here + size * (without.losses[i] - from.loss) >= best.more) continue;
                    const double more = here + size * (groups_.loss_instead(other, i, leaving) - from.loss);
                    if (more < best.more) best = {more, element, other, true};
                }
            });
        return best;
    }

    bool all_are_fine() const {
        if (limits_.only_size()) return true;
        std::vector<std::uint32_t> touched;
        for (const Move& each : moves_) touched.insert(touched.end(), {each.from, each.to});
        return limits_.open(std::move(touched)).empty();
    }
};

}  // namespace biombo
