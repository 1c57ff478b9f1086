// Local recoding: records are put into groups that are released alike, each at levels of its own, so that little is lost.
//
// 1. Gather: groups that lack something join the group, or borrow from the group, that costs the least for what it brings.
// 2. Improve: records move, change places, groups are split or given up, as long as that loses less.
// 3. Renew: neighbouring groups are taken apart and gathered anew; what is no better is put back, or what is much worse.
// The same table gives the same groups, whatever the threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "group_demand.hpp"
#include "level_sweep.hpp"
#include "near_cells.hpp"
#include "parallel.hpp"
#include "recoded_groups.hpp"
#include "recoding_space.hpp"

namespace biombo {

// How groups come about: gathered as they are, or as regions that are cut from the top down (top_down.hpp).
enum class Recoding { local, strict, relaxed };

struct LocalEffort {
    std::size_t near;      // cells to look at from each
    std::size_t window;    // cells to compare with on either side, in each order in which they are sorted
    std::size_t passes;    // over all groups, at most
    std::size_t renewals;  // groups from which neighbours are gathered anew, at most
};

struct LocalQuestion {
    std::vector<RecodingColumn> columns;  // by cell
    std::vector<std::uint32_t> cell_of;   // by element
    std::vector<std::uint32_t> counts;    // by element
    LocalEffort effort;
};

struct LocalGroups {
    std::vector<std::uint32_t> element, group, count;  // shares: so many records of an element are in a group
    std::vector<std::uint8_t> levels;                  // per group and column
    std::vector<std::uint8_t> meets;                   // per group: is it what it must be?
};

class LocalRecoding {
public:
    LocalRecoding(const LocalQuestion& question, GroupDemand& demand, int threads, Monitor& monitor)
        : question_(question),
          space_(question.columns),
          near_(space_, question.effort.near, question.effort.window, threads, monitor, share_of_nearness),
          groups_(space_, question.cell_of, question.counts),
          demand_(demand),
          monitor_(monitor) {}

    LocalGroups run() {
        sweep();
        monitor_.advance(share_of_sweep);
        gather_all();
        monitor_.advance(share_of_gathering);
        improve_all();
        const double lost = total();
        LocalGroups unrenewed = result();
        renew();
        Stage last(monitor_, share_of_last_pass, groups_.size());
        improve(last);
        return total() <= lost ? result() : std::move(unrenewed);
    }

    double total() const {
        double sum = 0;
        for (std::uint32_t group = 0; group < groups_.size(); ++group) sum += groups_[group].total();
        return sum;
    }

private:
    // What parts of the work are of all of it, as far as that is told while it goes on.
    static constexpr double share_of_nearness = 0.3, share_of_sweep = 0.1, share_of_gathering = 0.1, share_of_passes = 0.3,
                            share_of_renewal = 0.15, share_of_last_pass = 0.05;
    static constexpr double nothing = 1e-7;       // what is gained must be more than noise of floating point
    static constexpr double least_share = 1e-4;   // of all that is lost, below which another pass is not worth its time
    static constexpr std::size_t largest = 24;    // members of groups among which records change places
    static constexpr std::size_t most_moved = 1024;   // members of groups of which each is asked whether it should go
    static constexpr std::size_t most_judged = 4096;  // members of groups that are split where each cut is judged by rules
    static constexpr std::size_t pooled = 6;      // groups that are gathered anew at a time
    static constexpr double whim = 0.3;           // by how much prices are off at most when groups are gathered anew
    static constexpr double patience = 0.08;      // of what a group loses: how much more, on average, may be lost at first,
    static constexpr double calm = 0.9;           // and after which share of all renewals nothing more
    static constexpr double never = std::numeric_limits<double>::infinity();

    // A part of the work that is done in steps, or in fewer.
    class Stage {
    public:
        Stage(Monitor& monitor, double share, std::size_t steps)
            : monitor_(monitor), left_(share), step_(share / static_cast<double>(std::max<std::size_t>(steps, 1))) {}
        Stage(const Stage&) = delete;
        Stage& operator=(const Stage&) = delete;
        ~Stage() { monitor_.advance(left_); }

        void step() {
            monitor_.check();
            const double done = std::min(left_, step_);
            monitor_.advance(done);
            left_ -= done;
        }

    private:
        Monitor& monitor_;
        double left_, step_;
    };

    struct Proposal {
        double price = never;
        std::uint32_t group = 0, other = 0;
        std::uint32_t element = RecodedGroups::none;  // to borrow; none: the groups become one
        std::uint32_t count = 0;
        std::uint32_t version = 0, other_version = 0;
    };

    const LocalQuestion& question_;
    RecodingSpace space_;
    NearCells near_;
    RecodedGroups groups_;
    GroupDemand& demand_;
    Monitor& monitor_;
    std::vector<std::uint32_t> pool_;
    double leeway_ = 0, whim_ = 0;
    std::uint64_t drawn_ = 0x9e3779b97f4a7c15;
    std::uint64_t glance_ = 0;
    std::vector<std::uint64_t> last_glance_;  // by group

    double lacks(std::uint32_t group) {
        const RecodedGroup& it = groups_[group];
        if (demand_.only_size()) return it.size < demand_.k() ? static_cast<double>(demand_.k() - it.size) : 0;
        return demand_.none().with(it.members).shortfall();
    }

    double lack_together(std::uint32_t one, std::uint32_t other) {
        if (!demand_.only_size()) return demand_.none().with(groups_[one].members).with(groups_[other].members).shortfall();
        const std::uint64_t size = groups_[one].size + groups_[other].size;
        return size < demand_.k() ? static_cast<double>(demand_.k() - size) : 0;
    }

    bool spares(std::uint32_t group, std::uint32_t element, std::uint32_t count) {
        if (demand_.only_size()) return groups_[group].size >= demand_.k() + count;
        return demand_.none().with_all_but(groups_[group].members, element, count).shortfall() <= 0;
    }

    bool may_take(std::uint32_t group, std::uint32_t element, std::uint32_t count) {
        return demand_.only_size() || demand_.none().with(groups_[group].members).with(element, count).shortfall() <= 0;
    }

    bool may_exchange(std::uint32_t group, std::uint32_t leaving, std::uint32_t coming) {
        return demand_.only_size() ||
               demand_.none().with_all_but(groups_[group].members, leaving, 1).with(coming, 1).shortfall() <= 0;
    }

    // From 0 to below 1, the same in every run.
    double drawn() {
        drawn_ ^= drawn_ << 13;
        drawn_ ^= drawn_ >> 7;
        drawn_ ^= drawn_ << 17;
        return static_cast<double>(drawn_ >> 11) * 0x1p-53;
    }

    // Calls `look` with every group that has records near to those of a cell, or the same; some come more than once.
    // While some groups are gathered anew, there are no others.
    template <class Look>
    void look_around(std::uint32_t cell, std::uint32_t besides, const Look& look) const {
        if (!pool_.empty()) {
            for (std::uint32_t group : pool_)
                if (group != besides && groups_[group].size > 0) look(group, cell);
            return;
        }
        for (std::uint32_t group : groups_.with_cell(cell))
            if (group != besides) look(group, cell);
        const NearCell* near = near_.of(cell);
        for (std::size_t i = 0; i < near_.most() && near[i].cell != NearCells::none; ++i)
            for (std::uint32_t group : groups_.with_cell(near[i].cell))
                if (group != besides) look(group, near[i].cell);
    }

    // The same, each group once.
    template <class Look>
    void look_at_groups(std::uint32_t cell, std::uint32_t besides, const Look& look) {
        ++glance_;
        last_glance_.resize(groups_.size());
        look_around(cell, besides, [&](std::uint32_t group, std::uint32_t) {
            if (std::exchange(last_glance_[group], glance_) != glance_) look(group);
        });
    }

    // ---- gathering

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

    void gather_all() {
        std::vector<std::uint32_t> open;
        for (std::uint32_t group = 0; group < groups_.size(); ++group)
            if (groups_[group].size > 0 && lacks(group) > 0) open.push_back(group);
        gather(open, [&](std::uint32_t group, const auto& look) {
            const std::vector<Member>& members = groups_[group].members;
            for (const Member& each : members) look_around(groups_.cell_of(each.element), group, look);
        });
        while (!(open = still_open(std::move(open))).empty() && join_leftovers(open)) {
        }
    }

    std::vector<std::uint32_t> still_open(std::vector<std::uint32_t> open) {
        std::erase_if(open, [&](std::uint32_t group) { return groups_[group].size == 0 || lacks(group) <= 0; });
        return open;
    }

    // Rounds in which each open group says what it would like best, and those who agree get it, the cheapest first.
    template <class Around>
    void gather(std::vector<std::uint32_t> open, const Around& around) {
        while (!open.empty()) {
            std::vector<Proposal> proposals;
            for (std::uint32_t group : open) {
                monitor_.check();
                Proposal best;
                const double lacking = lacks(group);
                std::uint32_t last = RecodedGroups::none;
                around(group, [&](std::uint32_t other, std::uint32_t cell) {
                    if (other != last) propose_joining(group, other, lacking, best);
                    last = other;
                    propose_borrowing(group, other, cell, lacking, best);
                });
                if (best.price < never) proposals.push_back(best);
            }
            if (!carry_out(proposals)) return;
            open = still_open(std::move(open));
        }
    }

    void propose_joining(std::uint32_t group, std::uint32_t other, double lacking, Proposal& best) {
        const RecodedGroup &a = groups_[group], &b = groups_[other];
        const double loss = groups_.loss_together(group, other);
        const double more = static_cast<double>(a.size + b.size) * loss - a.total() - b.total();
        if (more >= best.price * 2 * lacking + nothing && demand_.only_size() && b.size >= demand_.k()) return;
        const double brought = lacking + lacks(other) - lack_together(group, other);
        if (brought <= 0) return;
        const double price = more / brought * (1 + whim_ * drawn());
        if (price < best.price) best = {price, group, other, RecodedGroups::none, 0, a.version, b.version};
    }

    // What a group has more than it needs may be lent.
    void propose_borrowing(std::uint32_t group, std::uint32_t other, std::uint32_t cell, double lacking, Proposal& best) {
        const RecodedGroup &a = groups_[group], &b = groups_[other];
        if (b.size <= demand_.k()) return;
        const double loss = groups_.loss_with(group, cell);
        for (const Member& each : b.members) {
            if (groups_.cell_of(each.element) != cell) continue;
            const std::uint64_t wanted = demand_.only_size() ? static_cast<std::uint64_t>(lacking) : 1;
            const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>({each.count, b.size - demand_.k(), wanted}));
            const double more = (static_cast<double>(a.size) + count) * loss - a.total() - count * b.loss;
            const double asked = more * (1 + whim_ * drawn());
            double brought = count;
            if (asked / brought >= best.price) continue;
            if (!demand_.only_size()) {
                brought = lacking - demand_.none().with(a.members).with(each.element, count).shortfall();
                if (brought <= 0 || asked / brought >= best.price || !spares(other, each.element, count)) continue;
            }
            best = {asked / brought, group, other, each.element, count, a.version, b.version};
        }
    }

    bool carry_out(std::vector<Proposal>& proposals) {
        std::stable_sort(proposals.begin(), proposals.end(), [](const Proposal& a, const Proposal& b) { return a.price < b.price; });
        bool any = false;
        for (const Proposal& each : proposals) {
            if (groups_[each.group].version != each.version || groups_[each.other].version != each.other_version) continue;
            any = true;
            if (each.element == RecodedGroups::none)
                groups_.merge(each.group, each.other);
            else
                groups_.move(each.element, each.count, each.other, each.group);
        }
        return any;
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
            if (groups_[group].size == 0 || lacks(group) <= 0) continue;
            double least = never;
            std::uint32_t to = group;
            for (std::size_t i = place % step; i < others.size(); i += step) {
                const std::uint32_t other = others[i];
                if (other == group || groups_[other].size == 0) continue;
                const RecodedGroup &a = groups_[group], &b = groups_[other];
                const double more = static_cast<double>(a.size + b.size) * groups_.loss_together(group, other) - a.total() - b.total();
                if (more < least) least = more, to = other;
            }
            if (to == group) continue;
            groups_.merge(group, to);
            any = true;
        }
        return any;
    }

    // ---- improving

    void improve_all() {
        const std::size_t passes = question_.effort.passes;
        Stage stage(monitor_, share_of_passes, passes * groups_.size());
        for (std::size_t pass = 0; pass < passes; ++pass)
            if (improve(stage) < least_share * total()) break;
    }

    double improve(Stage& stage) {
        double gained = 0;
        for (std::uint32_t group = 0; group < groups_.size(); ++group) {
            stage.step();
            gained += improve(group);
        }
        return gained;
    }

    double improve(std::uint32_t group) {
        if (groups_[group].size == 0 || groups_[group].loss <= 0) return 0;
        double gained = split(group);
        gained += move_out(group);
        return groups_[group].size > 0 ? gained + give_up(group) : gained;
    }

    struct Exchange {
        double gain = nothing;
        std::uint32_t to = RecodedGroups::none, back = RecodedGroups::none, count = 0;
    };

    // Each record goes where less is lost, alone or in exchange for another one.
    double move_out(std::uint32_t group) {
        double gained = 0;
        if (groups_[group].members.size() > most_moved) return 0;
        for (std::size_t i = 0; i < groups_[group].members.size();) {
            monitor_.check();
            if (groups_[group].loss <= 0) break;
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
        std::uint32_t count = 0;
        if (demand_.only_size())
            count = static_cast<std::uint32_t>(std::min<std::uint64_t>(member.count, from.size - std::min(from.size, demand_.k())));
        else if (spares(group, member.element, member.count))
            count = member.count;
        const double saved =
            count == 0 ? 0 : from.total() - static_cast<double>(from.size - count) * groups_.loss_without(group, member.element, count);
        double relief = 0;
        if (from.members.size() <= largest)
            relief = static_cast<double>(from.size) * (from.loss - groups_.losses_without_one(group)[place]);
        look_at_groups(cell, group, [&](std::uint32_t other) {
            const RecodedGroup& to = groups_[other];
            if (count > 0 && saved > best.gain) {
                const double gain = saved - (static_cast<double>(to.size + count) * groups_.loss_with(other, cell) - to.total());
                if (gain > best.gain && may_take(other, member.element, count)) best = {gain, other, RecodedGroups::none, count};
            }
            consider_exchange(group, member, relief, other, best);
        });
        return best;
    }

    // Whoever comes makes neither group better: what both gain by those who leave is the most that there is to gain.
    void consider_exchange(std::uint32_t group, const Member& member, double relief, std::uint32_t other, Exchange& best) {
        const RecodedGroup &from = groups_[group], &to = groups_[other];
        if (to.loss <= 0 || to.members.size() > largest || from.members.size() > largest) return;
        const std::uint32_t cell = groups_.cell_of(member.element);
        const double before = from.total() + to.total();
        const std::vector<double>& without = groups_.losses_without_one(other);
        for (std::size_t i = 0; i < to.members.size(); ++i) {
            const Member& back = to.members[i];
            if (groups_.cell_of(back.element) == cell) continue;
            if (relief + static_cast<double>(to.size) * (to.loss - without[i]) <= best.gain) continue;
            const double there = static_cast<double>(to.size) * groups_.loss_without(other, back.element, 1, cell);
            if (before - there <= best.gain) continue;
            const double here = static_cast<double>(from.size) * groups_.loss_without(group, member.element, 1, groups_.cell_of(back.element));
            const double gain = before - there - here;
            if (gain > best.gain && may_exchange(group, member.element, back.element) && may_exchange(other, back.element, member.element))
                best = {gain, other, back.element, 1};
        }
    }

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
            look_at_groups(cell, group, [&](std::uint32_t other) {
                const RecodedGroup& there = groups_[other];
                const double more = static_cast<double>(there.size + each.count) * groups_.loss_with(other, cell) - there.total();
                if (more < least && may_take(other, each.element, each.count)) least = more, best = other;
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
        const double before = total_of(touched);
        for (std::size_t i = 0; i < members.size(); ++i) groups_.move(members[i].element, members[i].count, group, to[i]);
        const double gain = before - total_of(touched);
        bool allowed = gain > nothing;
        for (std::uint32_t each : touched) allowed = allowed && (groups_[each].size == 0 || lacks(each) <= 0);
        if (allowed) return gain;
        for (std::size_t i = members.size(); i-- > 0;) groups_.move(members[i].element, members[i].count, to[i], group);
        return 0;
    }

    double total_of(const std::vector<std::uint32_t>& groups) const {
        double sum = 0;
        for (std::uint32_t group : groups) sum += groups_[group].total();
        return sum;
    }

    // Two groups out of one: around two records that are far apart, cut where the least is lost.
    double split(std::uint32_t group) {
        const RecodedGroup& whole = groups_[group];
        if (whole.size < 2 * std::max<std::uint64_t>(demand_.k(), 1) || whole.members.size() < 2) return 0;
        if (!demand_.only_size() && whole.members.size() > most_judged) return 0;
        const std::vector<Member> sides = by_side(whole.members);
        const auto [gain, cut] = best_cut(sides, whole);
        if (cut == 0) return 0;
        const std::uint32_t fresh = groups_.empty_group();
        if (!pool_.empty()) pool_.push_back(fresh);
        groups_.part(group, fresh, sides, cut);
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
            if (gained > best.first && (demand_.only_size() || may_cut(sides, cut))) best = {gained, cut};
        };
        std::uint64_t start = 0;
        for (std::size_t i = 0; i < sides.size(); start += sides[i++].count) {
            const std::uint64_t end = start + sides[i].count, least = demand_.k(), most = whole.size - demand_.k();
            if (i + 1 < sides.size() && end >= least && end <= most) consider(gain(i, i + 1, end), end);
            if (!demand_.only_size()) continue;
            for (const std::uint64_t cut : {least, most})
                if (start < cut && cut < end) consider(gain(i, i, cut), cut);
        }
        return best;
    }

    bool may_cut(const std::vector<Member>& sides, std::uint64_t cut) {
        std::uint64_t before = 0;
        demand_.none();
        std::size_t place = 0;
        for (; place < sides.size() && before < cut; ++place) {
            demand_.with(sides[place].element, sides[place].count);
            before += sides[place].count;
        }
        if (demand_.shortfall() > 0) return false;
        demand_.none();
        for (; place < sides.size(); ++place) demand_.with(sides[place].element, sides[place].count);
        return demand_.shortfall() <= 0;
    }

    // ---- renewing

    // Again and again around all groups, the worst ones first. In the beginning a little more may be lost than before, so
    // that better ways are found that no single step leads to.
    void renew() {
        const std::size_t budget = question_.effort.renewals;
        Stage stage(monitor_, share_of_renewal, budget);
        for (std::size_t done = 0; done < budget;) {
            std::vector<std::pair<double, std::uint32_t>> worst;
            for (std::uint32_t group = 0; group < groups_.size(); ++group)
                if (groups_[group].loss > 0) worst.push_back({-groups_[group].total(), group});
            if (worst.empty()) return;
            std::sort(worst.begin(), worst.end());
            const double each_loses = total() / static_cast<double>(worst.size());
            for (std::size_t i = 0; i < worst.size() && done < budget; ++i, ++done) {
                stage.step();
                const double left = 1 - static_cast<double>(done) / (calm * static_cast<double>(budget));
                leeway_ = std::max(0.0, left) * patience * each_loses;
                if (groups_[worst[i].second].loss > 0) renew_around(worst[i].second);
            }
        }
    }

    void renew_around(std::uint32_t group) {
        const std::vector<std::uint32_t> pool = nearest_groups(group);
        if (pool.size() < 2) return;
        std::vector<std::vector<Member>> before;
        const double lost = total_of(pool);
        for (std::uint32_t each : pool) before.push_back(groups_[each].members);
        const std::vector<std::uint32_t> fresh = taken_apart(pool, before);
        std::vector<std::uint32_t> open = still_open(fresh);
        whim_ = whim;
        gather(open, [&](std::uint32_t one, const auto& look) {
            for (std::uint32_t other : fresh)
                if (other != one && groups_[other].size > 0) look(other, groups_.cell_of(groups_[other].members[0].element));
        });
        whim_ = 0;
        pool_ = fresh;
        if (still_open(fresh).empty()) improve_pool();
        const std::vector<std::uint32_t> tried = std::exchange(pool_, {});
        if (still_open(tried).empty() && total_of(tried) < lost - nothing - leeway_ * std::log(1 - drawn())) return;
        for (std::uint32_t each : tried) groups_.clear(each);
        for (std::size_t i = 0; i < pool.size(); ++i) groups_.fill(pool[i], before[i]);
    }

    void improve_pool() {
        constexpr std::size_t passes = 2;
        for (std::size_t pass = 0; pass < passes; ++pass) {
            double gained = 0;
            for (std::size_t i = 0; i < pool_.size(); ++i) gained += improve(pool_[i]);
            if (gained <= nothing) return;
        }
    }

    // The group and those that lose the least together with it.
    std::vector<std::uint32_t> nearest_groups(std::uint32_t group) {
        std::vector<std::pair<double, std::uint32_t>> found;
        ++glance_;
        last_glance_.resize(groups_.size());
        for (const Member& each : groups_[group].members)
            look_around(groups_.cell_of(each.element), group, [&](std::uint32_t other, std::uint32_t) {
                if (std::exchange(last_glance_[other], glance_) == glance_ || groups_[other].members.size() > largest) return;
                found.push_back({groups_.loss_together(group, other), other});
            });
        std::sort(found.begin(), found.end());
        std::vector<std::uint32_t> pool = {group};
        for (std::size_t i = 0; i < found.size() && pool.size() < pooled; ++i) pool.push_back(found[i].second);
        return pool;
    }

    // Their records, those of each cell a group again.
    std::vector<std::uint32_t> taken_apart(const std::vector<std::uint32_t>& pool, const std::vector<std::vector<Member>>& members) {
        for (std::uint32_t each : pool) groups_.clear(each);
        std::vector<std::uint32_t> fresh;
        for (const auto& of_group : members)
            for (const Member& each : of_group) {
                const std::uint32_t cell = groups_.cell_of(each.element);
                const auto there = std::find_if(fresh.begin(), fresh.end(), [&](std::uint32_t other) {
                    return groups_.cell_of(groups_[other].members[0].element) == cell;
                });
                const std::uint32_t group = there == fresh.end() ? groups_.empty_group() : *there;
                if (there == fresh.end()) fresh.push_back(group);
                groups_.fill(group, {each});
            }
        return fresh;
    }

    // ---- the result

    LocalGroups result() {
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
            found.meets.push_back(lacks(group) <= 0);
            ++number;
        }
        return found;
    }
};

}  // namespace biombo
