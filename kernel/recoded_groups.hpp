// Groups of records that are released alike: which records, at which level each column is, and what that loses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "group_demand.hpp"
#include "recoding_space.hpp"

namespace biombo {

// What a group would be without one record of a member.
struct GroupWithout {
    std::vector<std::uint8_t> levels;  // per member and column
    std::vector<double> losses;        // by member: of each record that is left
    double least = 0;                  // of these
    std::uint32_t version = UINT32_MAX;  // of the group, for which this is known
};

struct RecodedGroup {
    std::vector<Member> members;
    std::uint64_t size = 0;
    double loss = 0;                       // of each record
    std::uint32_t version = 0;             // rises with every change
    const std::uint32_t* codes = nullptr;  // of one of its records: at its levels, those of all
    std::unique_ptr<GroupWithout> without;

    double total() const { return static_cast<double>(size) * loss; }
};

class RecodedGroups {
public:
    static constexpr std::uint32_t none = UINT32_MAX;

    // Groups of some records, which are put into them; nothing is known of where the records of a cell are.
    RecodedGroups(const RecodingSpace& space, const std::vector<std::uint32_t>& cell_of) : space_(space), cell_of_(cell_of) {}

    // `cell_of` and `counts` are by element. In the beginning the records of each cell are a group.
    RecodedGroups(const RecodingSpace& space, const std::vector<std::uint32_t>& cell_of, const std::vector<std::uint32_t>& counts)
        : space_(space), cell_of_(cell_of), groups_(space.cells()), levels_(space.cells() * space.columns()), where_(space.cells()) {
        for (std::uint32_t element = 0; element < cell_of.size(); ++element) {
            auto& group = groups_[cell_of[element]];
            group.members.push_back({element, counts[element]});
            group.size += counts[element];
        }
        for (std::uint32_t cell = 0; cell < space.cells(); ++cell) {
            if (groups_[cell].size == 0) continue;
            where_[cell].push_back(cell);
            refresh(cell);
        }
    }

    std::size_t size() const { return groups_.size(); }
    const RecodedGroup& operator[](std::uint32_t group) const { return groups_[group]; }
    const std::vector<std::uint32_t>& with_cell(std::uint32_t cell) const { return where_[cell]; }
    std::uint32_t cell_of(std::uint32_t element) const { return cell_of_[element]; }
    const std::uint8_t* levels(std::uint32_t group) const { return &levels_[group * space_.columns()]; }

    // Is anything lost by its records being made alike?
    bool loses(std::uint32_t group) const {
        const std::uint32_t* codes = groups_[group].codes;
        const std::uint8_t* at = levels(group);
        for (std::size_t c = 0; c < space_.columns() && groups_[group].size > 0; ++c)
            if (space_.cost(c, codes[c], at[c]) > space_.cost(c, codes[c], 0)) return true;
        return false;
    }

    double total_of(const std::vector<std::uint32_t>& groups) const {
        double sum = 0;
        for (std::uint32_t group : groups) sum += groups_[group].total();
        return sum;
    }

    double total() const {
        double sum = 0;
        for (const RecodedGroup& group : groups_) sum += group.total();
        return sum;
    }

    // What a record would lose in both groups together.
    double loss_together(std::uint32_t one, std::uint32_t other) const {
        const std::uint32_t *a = groups_[one].codes, *b = groups_[other].codes;
        const std::uint8_t *x = levels(one), *y = levels(other);
        double sum = 0;
        for (std::size_t c = 0; c < space_.columns(); ++c)
            sum += space_.cost(c, a[c], std::max({x[c], y[c], space_.meeting(c, a[c], b[c])}));
        return sum;
    }

    // What a record would lose in the group with those of one more cell.
    double loss_with(std::uint32_t group, std::uint32_t cell) const { return loss_of(groups_[group].codes, levels(group), cell); }

    // What a record would lose in the group less `count` records of an element.
    double loss_without(std::uint32_t group, std::uint32_t element, std::uint32_t count) const {
        Reach reach(space_);
        for (const Member& each : groups_[group].members)
            if (each.element != element || each.count > count) reach.add(cell_of_[each.element]);
        return reach.loss();
    }

    // The group without one record of each member in turn.
    const GroupWithout& without_one(std::uint32_t at) {
        RecodedGroup& group = groups_[at];
        if (!group.without) group.without = std::make_unique<GroupWithout>();
        if (group.without->version != group.version) leave_out_each(group, levels(at), *group.without);
        return *group.without;
    }

    // What a record would lose in the group with those of a cell in the place of one record of a member.
    double loss_instead(std::uint32_t at, std::size_t place, std::uint32_t cell) {
        const GroupWithout& without = without_one(at);
        const std::vector<Member>& members = groups_[at].members;
        if (members.size() == 1 && members[0].count == 1) return loss_of(space_.codes(cell), &without.levels[0], cell);
        const bool is_first = place == 0 && members[0].count == 1;
        const std::uint32_t* codes = is_first ? space_.codes(cell_of_[members[1].element]) : groups_[at].codes;
        return loss_of(codes, &without.levels[place * space_.columns()], cell);
    }

    // What a record would lose of the first of these, of the first two, and so on.
    template <class Members>
    std::vector<double> losses(const Members& first, const Members& last) const {
        Reach reach(space_);
        std::vector<double> found;
        for (auto each = first; each != last; ++each) {
            reach.add(cell_of_[each->element]);
            found.push_back(reach.loss());
        }
        return found;
    }

    void move(std::uint32_t element, std::uint32_t count, std::uint32_t from, std::uint32_t to) {
        take(from, element, count);
        put(to, element, count);
        refresh(from);
        refresh(to);
    }

    void merge(std::uint32_t into, std::uint32_t from) {
        auto &group = groups_[into], &other = groups_[from];
        std::uint8_t *x = &levels_[into * space_.columns()], *y = &levels_[from * space_.columns()];
        group.loss = 0;
        for (std::size_t c = 0; c < space_.columns(); ++c) {
            x[c] = std::max({x[c], y[c], space_.meeting(c, group.codes[c], other.codes[c])});
            group.loss += space_.cost(c, group.codes[c], x[c]);
        }
        taken(from, moving_);
        for (const Member& each : moving_) put(into, each.element, each.count);
        ++group.version;
        refresh(from);
    }

    // The first `count` records of these, which are all of a group, go to another one.
    void part(std::uint32_t group, std::uint32_t to, const std::vector<Member>& members, std::uint64_t count) {
        taken(group, moving_);
        for (const Member& each : members) {
            const auto gone = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, each.count));
            if (gone > 0) put(to, each.element, gone);
            if (gone < each.count) put(group, each.element, each.count - gone);
            count -= gone;
        }
        refresh(group);
        refresh(to);
    }

    // A group with nobody in it.
    std::uint32_t empty_group() {
        while (!free_.empty()) {
            const std::uint32_t group = free_.back();
            free_.pop_back();
            if (groups_[group].size == 0) return group;
        }
        groups_.emplace_back();
        levels_.resize(levels_.size() + space_.columns());
        return static_cast<std::uint32_t>(groups_.size() - 1);
    }

    // Puts records, which are in no group, into one.
    void fill(std::uint32_t group, const std::vector<Member>& members) {
        for (const Member& each : members) put(group, each.element, each.count);
        refresh(group);
    }

    void fill(std::uint32_t group, const Member& member) {
        put(group, member.element, member.count);
        refresh(group);
    }

    void clear(std::uint32_t group) {
        taken(group, moving_);
        refresh(group);
    }

    // Nobody is in any group; the first one that is filled then is the first.
    void clear() {
        free_.clear();
        for (std::uint32_t group = static_cast<std::uint32_t>(groups_.size()); group-- > 0;) clear(group);
    }

private:
    // How far records reach: the levels at which all of them are alike.
    class Reach {
    public:
        explicit Reach(const RecodingSpace& space) : space_(space) {}

        void add(std::uint32_t cell) {
            const std::uint32_t* codes = space_.codes(cell);
            if (first_ == nullptr) {
                first_ = codes;
                std::fill_n(levels_, space_.columns(), std::uint8_t{0});
                return;
            }
            for (std::size_t c = 0; c < space_.columns(); ++c)
                levels_[c] = std::max(levels_[c], space_.meeting(c, first_[c], codes[c]));
        }

        double loss() const { return first_ == nullptr ? 0 : space_.loss(first_, levels_); }
        const std::uint8_t* levels() const { return levels_; }

    private:
        const RecodingSpace& space_;
        const std::uint32_t* first_ = nullptr;
        std::uint8_t levels_[RecodingSpace::most_columns];
    };

    const RecodingSpace& space_;
    const std::vector<std::uint32_t>& cell_of_;
    std::vector<RecodedGroup> groups_;
    std::vector<std::uint8_t> levels_;                // per group and column
    std::vector<std::vector<std::uint32_t>> where_;  // per cell: the groups with records of it; none where that is not kept
    std::vector<std::uint32_t> free_;
    std::vector<Member> moving_;

    // What records with these codes lose at these levels, or where one of a cell is with them.
    double loss_of(const std::uint32_t* codes, const std::uint8_t* levels, std::uint32_t cell) const {
        const std::uint32_t* more = space_.codes(cell);
        double sum = 0;
        for (std::size_t c = 0; c < space_.columns(); ++c)
            sum += space_.cost(c, codes[c], std::max(levels[c], space_.meeting(c, codes[c], more[c])));
        return sum;
    }

    // What all before a member have in common, and all behind it, is what is left without it.
    void leave_out_each(const RecodedGroup& group, const std::uint8_t* at, GroupWithout& without) const {
        const std::size_t columns = space_.columns(), members = group.members.size();
        without.version = group.version;
        without.levels.assign(members * columns, 0);
        without.losses.clear();
        const auto codes = [&](std::size_t place) { return space_.codes(cell_of_[group.members[place].element]); };
        std::uint8_t reach[RecodingSpace::most_columns] = {};
        const auto widen = [&](std::size_t from, std::size_t with) {
            for (std::size_t c = 0; c < columns; ++c)
                reach[c] = std::max(reach[c], space_.meeting(c, codes(from)[c], codes(with)[c]));
        };
        for (std::size_t i = 1; i < members; ++i) {
            std::copy_n(reach, columns, &without.levels[i * columns]);
            widen(0, i);
        }
        std::fill_n(reach, columns, std::uint8_t{0});
        for (std::size_t i = members; i-- > 0;) {
            std::uint8_t* levels = &without.levels[i * columns];
            for (std::size_t c = 0; c < columns; ++c) {
                levels[c] = std::max(levels[c], reach[c]);
                if (i > 0 && i + 1 < members) levels[c] = std::max(levels[c], space_.meeting(c, codes(0)[c], codes(i + 1)[c]));
            }
            widen(members - 1, i);
        }
        for (std::size_t i = 0; i < members; ++i) {
            if (group.members[i].count > 1) std::copy_n(at, columns, &without.levels[i * columns]);
            const bool is_left = members > 1 || group.members[i].count > 1;
            const std::size_t other = i > 0 || group.members[i].count > 1 ? 0 : 1;
            without.losses.push_back(is_left ? space_.loss(codes(other), &without.levels[i * columns]) : 0);
        }
        without.least = *std::min_element(without.losses.begin(), without.losses.end());
    }

    static Member* find(RecodedGroup& group, std::uint32_t element) {
        const auto at = std::find_if(group.members.begin(), group.members.end(), [&](const Member& each) { return each.element == element; });
        return at == group.members.end() ? nullptr : &*at;
    }

    void take(std::uint32_t from, std::uint32_t element, std::uint32_t count) {
        auto& group = groups_[from];
        Member* member = find(group, element);
        member->count -= count;
        group.size -= count;
        if (member->count != 0) return;
        group.members.erase(group.members.begin() + (member - group.members.data()));
        if (where_.empty()) return;
        const std::uint32_t cell = cell_of_[element];
        if (std::any_of(group.members.begin(), group.members.end(), [&](const Member& each) { return cell_of_[each.element] == cell; })) return;
        auto& groups = where_[cell];
        groups.erase(std::find(groups.begin(), groups.end(), from));
    }

    // All of its records, which are in no group then.
    void taken(std::uint32_t from, std::vector<Member>& members) {
        members.assign(groups_[from].members.begin(), groups_[from].members.end());
        groups_[from].members.clear();
        groups_[from].size = 0;
        if (where_.empty()) return;
        std::vector<Member>().swap(groups_[from].members);  // of many groups few stay: the others keep no room
        groups_[from].without.reset();
        for (const Member& each : members) std::erase(where_[cell_of_[each.element]], from);
    }

    void put(std::uint32_t to, std::uint32_t element, std::uint32_t count) {
        auto& group = groups_[to];
        group.size += count;
        bool is_new = false;
        if (!where_.empty()) {
            auto& groups = where_[cell_of_[element]];
            is_new = std::find(groups.begin(), groups.end(), to) == groups.end();
            if (is_new) groups.push_back(to);
        }
        Member* member = is_new ? nullptr : find(group, element);
        if (member != nullptr)
            member->count += count;
        else
            group.members.push_back({element, count});
    }

    void refresh(std::uint32_t at) {
        auto& group = groups_[at];
        ++group.version;
        if (group.members.empty()) {
            group.loss = 0;
            free_.push_back(at);
            return;
        }
        Reach reach(space_);
        for (const Member& each : group.members) reach.add(cell_of_[each.element]);
        group.codes = space_.codes(cell_of_[group.members[0].element]);
        std::copy_n(reach.levels(), space_.columns(), &levels_[at * space_.columns()]);
        group.loss = reach.loss();
    }
};

}  // namespace biombo
