// Local recoding: records are put into groups that are released alike, each at levels of its own, so that little is lost.
//
// 1. Gather: groups that lack something join the group, or borrow from the group, that costs the least for what it brings.
// 2. Improve: records move, change places, groups are split or given up, as long as that loses less.
// 3. Renew: neighbouring groups are taken apart and gathered anew, and groups become narrower in a column by exchanging
//    several records at once; what is no better is put back, or what is much worse.
// The same table gives the same groups, whatever the threads. What comes after gathering may be cut short at any step.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "gathering.hpp"
#include "group_demand.hpp"
#include "group_limits.hpp"
#include "improvement.hpp"
#include "level_sweep.hpp"
#include "local_question.hpp"
#include "near_cells.hpp"
#include "near_groups.hpp"
#include "parallel.hpp"
#include "recoded_groups.hpp"
#include "recoding_space.hpp"
#include "renewal.hpp"
#include "counted_steps.hpp"

namespace biombo {

class LocalRecoding {
public:
    LocalRecoding(const LocalQuestion& question, GroupDemand& demand, int threads, Monitor& monitor)
        : question_(question),
          space_(question.columns),
          near_(space_, question.effort.near, question.effort.window, threads, monitor, share_of_nearness),
          groups_(space_, question.cell_of, question.counts),
          demand_(demand),
          limits_(groups_, demand),
          around_(near_, groups_),
          threads_(threads),
          monitor_(monitor),
          steps_(question.effort.steps, monitor),
          unchanged_(groups_.total()) {}

    LocalGroups run() {
        sweep();
        monitor_.advance(share_of_sweep);
        gather();
        monitor_.advance(share_of_gathering);
        improve();
        const double before = lost();
        LocalGroups unrenewed = result();
        renew();
        Stage last(monitor_, share_of_last_pass, groups_.size());
        improve(last);
        LocalGroups found = lost() <= before ? result() : std::move(unrenewed);
        found.steps = steps_.done();
        found.is_cut = steps_.are_over();
        return found;
    }

private:
    // What parts of the work are of all of it, as far as that is told while it goes on.
    static constexpr double share_of_nearness = 0.3, share_of_sweep = 0.1, share_of_gathering = 0.1, share_of_passes = 0.2,
                            share_of_renewal = 0.25, share_of_last_pass = 0.05;
    static constexpr double least_share = 1e-4;  // of all that is lost, below which another pass is not worth its time

    const LocalQuestion& question_;
    RecodingSpace space_;
    NearCells near_;
    RecodedGroups groups_;
    GroupDemand& demand_;
    GroupLimits limits_;
    NearGroups around_;
    int threads_;
    Monitor& monitor_;
    CountedSteps steps_;
    double unchanged_;  // what is lost where nothing is changed, by measures that do not begin with 0

    double lost() const { return groups_.total() - unchanged_; }

    // Whole combinations of levels first.
    void sweep() {
        std::vector<std::uint64_t> sizes(space_.cells());
        for (std::uint32_t cell = 0; cell < sizes.size(); ++cell) sizes[cell] = groups_[cell].size;
        const auto meets = [&](const LevelSweep::Cells& cells) {
            if (demand_.only_size()) return true;
            demand_.none();
            for (std::uint32_t cell : cells) demand_.with(groups_[cell].members);
            return demand_.shortfall() <= 0;
        };
        for (const auto& cells : LevelSweep(space_, sizes, monitor_).groups(demand_.k(), meets))
            for (std::uint32_t cell : cells)
                if (cell != cells[0]) groups_.merge(cells[0], cell);
    }

    void gather() {
        std::vector<std::uint32_t> open(groups_.size());
        std::iota(open.begin(), open.end(), 0u);
        open = limits_.open(std::move(open));
        Gathering gathering(groups_, demand_, monitor_);
        Draws draws;
        gathering.run(open, [&](std::uint32_t group, const auto& look) {
            for (const Member& each : groups_[group].members) around_.look_at_cells(groups_.cell_of(each.element), group, look);
        }, 0, draws);
        while (!(open = limits_.open(std::move(open))).empty() && gathering.join_leftovers(open)) {
        }
    }

    void improve() {
        const std::size_t passes = question_.effort.passes;
        Stage stage(monitor_, share_of_passes, passes * groups_.size());
        for (std::size_t pass = 0; pass < passes; ++pass)
            if (improve(stage) < least_share * lost()) break;
    }

    double improve(Stage& stage) {
        Improvement<NearGroups> improvement(space_, groups_, demand_, around_, monitor_);
        double gained = 0;
        for (std::uint32_t group = 0; group < groups_.size() && steps_.go_on(); ++group) {
            stage.step();
            steps_.count();
            gained += improvement.run(group);
        }
        return gained;
    }

    void renew() {
        Stage stage(monitor_, share_of_renewal, question_.effort.renewals);
        Renewals(space_, groups_, near_, question_.cell_of, demand_, threads_, monitor_)
            .run(question_.effort.renewals, lost(), steps_, stage);
    }

    LocalGroups result() const {
        LocalGroups found;
        std::uint32_t number = 0;
        for (std::uint32_t group = 0; group < groups_.size(); ++group) {
            if (groups_[group].size == 0) continue;
            for (const Member& each : groups_[group].members) {
                found.element.push_back(each.element);
                found.group.push_back(number);
                found.count.push_back(each.count);
            }
            found.levels.insert(found.levels.end(), groups_.levels(group), groups_.levels(group) + space_.columns());
            found.meets.push_back(limits_.lacks(group) <= 0);
            ++number;
        }
        return found;
    }
};

}  // namespace biombo
