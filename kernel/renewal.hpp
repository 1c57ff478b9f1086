// Neighbouring groups are taken apart and gathered anew; what is no better is put back, or what is much worse. Then the one
// in the middle is made narrower.
//
// Several pools that share no group are gathered anew at a time, each by itself, so that threads do not matter.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gathering.hpp"
#include "improvement.hpp"
#include "narrowing.hpp"
#include "near_groups.hpp"
#include "parallel.hpp"
#include "recoded_groups.hpp"
#include "recoding_space.hpp"
#include "counted_steps.hpp"

namespace biombo {

// The records of some groups, and other groups of them.
class PoolRenewal {
public:
    using Groups = std::vector<std::vector<Member>>;

    PoolRenewal(const RecodingSpace& space, const std::vector<std::uint32_t>& cell_of, const GroupDemand& demand, Monitor& monitor)
        : demand_(demand),
          groups_(space, cell_of),
          limits_(groups_, demand_),
          gathering_(groups_, demand_, monitor),
          improvement_(space, groups_, demand_, around_, monitor) {}

    // Other groups of the same records; none where they are not what they must be, or lose as much as is `allowed`.
    Groups run(const Groups& before, double allowed, Draws& draws) {
        take_apart(before);
        gathering_.run(limits_.open(around_.groups), [&](std::uint32_t one, const auto& look) {
            for (std::uint32_t other : around_.groups)
                if (other != one && groups_[other].size > 0) look(other, groups_.cell_of(groups_[other].members[0].element));
        }, whim, draws);
        std::erase_if(around_.groups, [&](std::uint32_t group) { return groups_[group].size == 0; });
        if (!limits_.open(around_.groups).empty()) return {};
        improve();
        Groups found;
        if (groups_.total_of(around_.groups) >= allowed || !limits_.open(around_.groups).empty()) return found;
        for (std::uint32_t group : around_.groups)
            if (groups_[group].size > 0) found.push_back(groups_[group].members);
        return found;
    }

private:
    static constexpr double whim = 0.3;  // by how much prices are off at most
    static constexpr std::size_t passes = 2;

    // All groups of the pool are near each other.
    struct Around {
        const RecodedGroups& all;
        std::vector<std::uint32_t> groups;

        template <class Look>
        void look(std::uint32_t, std::uint32_t besides, const Look& look) const {
            for (std::uint32_t group : groups)
                if (group != besides && all[group].size > 0) look(group);
        }

        void add(std::uint32_t group) {
            if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
        }
    };

    GroupDemand demand_;
    RecodedGroups groups_;
    GroupLimits limits_;
    Around around_{groups_, {}};
    Gathering gathering_;
    Improvement<Around> improvement_;

    // The records of each cell a group.
    void take_apart(const Groups& before) {
        groups_.clear();
        around_.groups.clear();
        for (const auto& members : before)
            for (const Member& each : members) groups_.fill(group_of(groups_.cell_of(each.element)), each);
    }

    std::uint32_t group_of(std::uint32_t cell) {
        auto& known = around_.groups;
        const auto there = std::find_if(known.begin(), known.end(), [&](std::uint32_t group) {
            return groups_.cell_of(groups_[group].members[0].element) == cell;
        });
        if (there != known.end()) return *there;
        known.push_back(groups_.empty_group());
        return known.back();
    }

    void improve() {
        for (std::size_t pass = 0; pass < passes; ++pass) {
            double gained = 0;
            for (std::size_t i = 0; i < around_.groups.size(); ++i) gained += improvement_.run(around_.groups[i]);
            if (gained <= Improvement<Around>::nothing) return;
        }
    }
};

class Renewals {
public:
    Renewals(const RecodingSpace& space, RecodedGroups& groups, const NearCells& near, const std::vector<std::uint32_t>& cell_of,
             GroupDemand& demand, int threads, Monitor& monitor)
        : groups_(groups),
          around_(near, groups),
          narrowing_(space, groups, demand, around_, monitor),
          threads_(threads),
          monitor_(monitor) {
        for (int thread = 0; thread < threads; ++thread)
            workers_.push_back(std::make_unique<Worker>(space, groups, near, cell_of, demand, monitor));
    }

    // Again and again around all groups, the worst ones first. In the beginning a little more may be lost than before, so
    // that better ways are found that no single step leads to.
    void run(std::size_t budget, double lost, CountedSteps& steps, Stage& stage) {
        for (std::size_t done = 0; done < budget && steps.go_on();) {
            std::vector<std::uint32_t> next = worst_first();
            if (next.empty()) return;
            narrowing_.begin();
            const double each_loses = lost / static_cast<double>(next.size());
            const std::size_t abreast = std::clamp<std::size_t>(next.size() / share_abreast, 1, most_abreast);
            std::reverse(next.begin(), next.end());
            while (!next.empty() && done < budget && steps.go_on()) {
                const double left = 1 - static_cast<double>(done) / (calm * static_cast<double>(budget));
                const std::size_t renewed = renew(next, abreast, std::max(0.0, left) * patience * each_loses, done, stage);
                steps.count(renewed);
                done += renewed;
            }
        }
    }

private:
    static constexpr std::size_t pooled = 6;      // groups that are gathered anew at a time
    static constexpr std::size_t most_abreast = 16, share_abreast = 64;  // pools at a time, and of how many groups it is one
    static constexpr double patience = 0.08;      // of what a group loses: how much more, on average, may be lost at first,
    static constexpr double calm = 0.9;           // and after which share of all renewals nothing more

    struct Pool {
        std::vector<std::uint32_t> groups;
        PoolRenewal::Groups found;
    };

    struct Worker {
        NearGroups near;
        PoolRenewal renewal;
        std::vector<std::pair<double, std::uint32_t>> found;

        Worker(const RecodingSpace& space, const RecodedGroups& groups, const NearCells& cells, const std::vector<std::uint32_t>& cell_of,
               const GroupDemand& demand, Monitor& monitor)
            : near(cells, groups), renewal(space, cell_of, demand, monitor) {}
    };

    RecodedGroups& groups_;
    NearGroups around_;
    Narrowing narrowing_;
    int threads_;
    Monitor& monitor_;
    std::vector<std::unique_ptr<Worker>> workers_;

    std::vector<std::uint32_t> worst_first() const {
        std::vector<std::pair<double, std::uint32_t>> found;
        for (std::uint32_t group = 0; group < groups_.size(); ++group)
            if (groups_.loses(group)) found.push_back({-groups_[group].total(), group});
        std::sort(found.begin(), found.end());
        std::vector<std::uint32_t> groups;
        for (const auto& each : found) groups.push_back(each.second);
        return groups;
    }

    // Some of the `next` groups, which come from the back; those whose neighbours are taken wait. How many were renewed.
    std::size_t renew(std::vector<std::uint32_t>& next, std::size_t abreast, double leeway, std::size_t done, Stage& stage) {
        std::vector<std::uint32_t> centres;
        for (; !next.empty() && centres.size() < abreast; next.pop_back())
            if (groups_.loses(next.back())) centres.push_back(next.back());
        std::vector<Pool> pools(centres.size());
        for_each_task(threads_, centres.size(), monitor_,
                      [&](int worker, std::size_t i) { pools[i].groups = nearest(*workers_[worker], centres[i]); });
        const std::vector<std::size_t> apart = sharing_none(pools);
        for (std::size_t i = centres.size(); i-- > 0;)
            if (!std::binary_search(apart.begin(), apart.end(), i)) next.push_back(centres[i]);
        for_each_task(threads_, apart.size(), monitor_, [&](int worker, std::size_t i) {
            Draws draws(done + i);
            renew(pools[apart[i]], *workers_[worker], leeway, draws);
        });
        for (std::size_t each : apart) {
            put_in_place(pools[each]);
            stage.step();
        }
        for (std::size_t each : apart) narrowing_.run(centres[each], leeway);
        return apart.size();
    }

    void renew(Pool& pool, Worker& worker, double leeway, Draws& draws) const {
        const double allowed = groups_.total_of(pool.groups) - Improvement<NearGroups>::nothing - leeway * std::log(1 - draws.next());
        PoolRenewal::Groups before;
        for (std::uint32_t group : pool.groups) before.push_back(groups_[group].members);
        if (before.size() > 1) pool.found = worker.renewal.run(before, allowed, draws);
    }

    void put_in_place(const Pool& pool) {
        if (pool.found.empty()) return;
        for (std::uint32_t group : pool.groups) groups_.clear(group);
        for (std::size_t i = 0; i < pool.found.size(); ++i)
            groups_.fill(i < pool.groups.size() ? pool.groups[i] : groups_.empty_group(), pool.found[i]);
    }

    // The group and those that lose the least together with it.
    std::vector<std::uint32_t> nearest(Worker& worker, std::uint32_t group) const {
        auto& found = worker.found;
        found.clear();
        worker.near.look_from(group, [&](std::uint32_t other) {
            if (groups_[other].members.size() > Improvement<NearGroups>::largest) return;
            found.push_back({groups_.loss_together(group, other), other});
        });
        const std::size_t most = std::min(found.size(), pooled - 1);
        std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(most), found.end());
        std::vector<std::uint32_t> pool = {group};
        for (std::size_t i = 0; i < most; ++i) pool.push_back(found[i].second);
        return pool;
    }

    // The places of pools that have no group of one before them.
    static std::vector<std::size_t> sharing_none(const std::vector<Pool>& pools) {
        std::vector<std::uint32_t> taken;
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < pools.size(); ++i) {
            const auto& groups = pools[i].groups;
            const auto is_taken = [&](std::uint32_t group) { return std::find(taken.begin(), taken.end(), group) != taken.end(); };
            if (std::any_of(groups.begin(), groups.end(), is_taken)) continue;
            taken.insert(taken.end(), groups.begin(), groups.end());
            found.push_back(i);
        }
        return found;
    }
};

}  // namespace biombo
