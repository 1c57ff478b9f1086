// Groups of records that are released alike: which records, at which level each column is, and what that loses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "group_demand.hpp"
#include "recoding_space.hpp"

namespace biombo {

struct RecodedGroup {
    std::vector<Member> members;
    std::uint64_t size = 0;
    double loss = 0;            // of each record
    std::uint32_t version = 0;  // rises with every change
    std::vector<double> losses_without;    // by member: what each record would lose without one record of it,
    std::uint32_t known_for = UINT32_MAX;  // known for this version

    double total() const { return static_cast<double>(size) * loss; }
};

class RecodedGroups {
public:
    static constexpr std::uint32_t none = UINT32_MAX;

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
    // The codes of one of its records: at its levels, those of all.
    const std::uint32_t* codes(std::uint32_t group) const { return space_.codes(cell_of_[groups_[group].members[0].element]); }

    // What a record would lose in both groups together.
    double loss_together(std::uint32_t one, std::uint32_t other) const {
        const std::uint32_t *a = codes(one), *b = codes(other);
        const std::uint8_t *x = levels(one), *y = levels(other);
        double sum = 0;
        for (std::size_t c = 0; c < space_.columns(); ++c)
            sum += space_.cost(c, a[c], std::max({x[c], y[c], space_.meeting(c, a[c], b[c])}));
        return sum;
    }

    // What a record would lose in the group with those of one more cell.
    double loss_with(std::uint32_t group, std::uint32_t cell) const {
        const std::uint32_t *a = codes(group), *b = space_.codes(cell);
        const std::uint8_t* x = levels(group);
        double sum = 0;
        for (std::size_t c = 0; c < space_.columns(); ++c)
            sum += space_.cost(c, a[c], std::max(x[c], space_.meeting(c, a[c], b[c])));
        return sum;
    }

    // What a record would lose in the group less `count` records of an element, with those of a cell where one is named.
    double loss_without(std::uint32_t group, std::uint32_t element, std::uint32_t count, std::uint32_t cell = none) const {
        Reach reach(space_);
        for (const Member& each : groups_[group].members)
            if (each.element != element || each.count > count) reach.add(cell_of_[each.element]);
        if (cell != none) reach.add(cell);
        return reach.loss();
    }

    // By member: what a record would lose in the group without one record of it.
    const std::vector<double>& losses_without_one(std::uint32_t at) {
        RecodedGroup& group = groups_[at];
        if (group.known_for == group.version) return group.losses_without;
        group.known_for = group.version;
        group.losses_without.clear();
        for (const Member& each : group.members)
            group.losses_without.push_back(each.count > 1 ? group.loss : loss_without(at, each.element, 1));
        return group.losses_without;
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
        const std::vector<Member> members = taken(from);
        const std::uint32_t *a = codes(into), *b = space_.codes(cell_of_[members[0].element]);
        std::uint8_t *x = &levels_[into * space_.columns()], *y = &levels_[from * space_.columns()];
        auto& group = groups_[into];
        group.loss = 0;
        for (std::size_t c = 0; c < space_.columns(); ++c) {
            x[c] = std::max({x[c], y[c], space_.meeting(c, a[c], b[c])});
            group.loss += space_.cost(c, a[c], x[c]);
        }
        for (const Member& each : members) put(into, each.element, each.count);
        ++group.version;
        refresh(from);
    }

    // The first `count` records of these, which are all of a group, go to another one.
    void part(std::uint32_t group, std::uint32_t to, const std::vector<Member>& members, std::uint64_t count) {
        taken(group);
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

    // Makes the group what it was, with these members, all of which are in no group now.
    void fill(std::uint32_t group, const std::vector<Member>& members) {
        for (const Member& each : members) put(group, each.element, each.count);
        refresh(group);
    }

    void clear(std::uint32_t group) {
        taken(group);
        refresh(group);
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

        double loss() const {
            double sum = 0;
            for (std::size_t c = 0; first_ != nullptr && c < space_.columns(); ++c) sum += space_.cost(c, first_[c], levels_[c]);
            return sum;
        }

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
    std::vector<std::vector<std::uint32_t>> where_;  // per cell: the groups with records of it
    std::vector<std::uint32_t> free_;

    void take(std::uint32_t from, std::uint32_t element, std::uint32_t count) {
        auto& group = groups_[from];
        const auto at = std::find_if(group.members.begin(), group.members.end(), [&](const Member& each) { return each.element == element; });
        at->count -= count;
        group.size -= count;
        if (at->count != 0) return;
        group.members.erase(at);
        const std::uint32_t cell = cell_of_[element];
        if (std::any_of(group.members.begin(), group.members.end(), [&](const Member& each) { return cell_of_[each.element] == cell; })) return;
        auto& groups = where_[cell];
        groups.erase(std::find(groups.begin(), groups.end(), from));
    }

    // All of its records, which are in no group then.
    std::vector<Member> taken(std::uint32_t from) {
        std::vector<Member> members;
        members.swap(groups_[from].members);
        groups_[from].size = 0;
        for (const Member& each : members) std::erase(where_[cell_of_[each.element]], from);
        return members;
    }

    void put(std::uint32_t to, std::uint32_t element, std::uint32_t count) {
        auto& group = groups_[to];
        group.size += count;
        auto& groups = where_[cell_of_[element]];
        if (std::find(groups.begin(), groups.end(), to) == groups.end()) {
            groups.push_back(to);
            group.members.push_back({element, count});
            return;
        }
        const auto at = std::find_if(group.members.begin(), group.members.end(), [&](const Member& each) { return each.element == element; });
        if (at != group.members.end()) {
            at->count += count;
            return;
        }
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
        std::copy_n(reach.levels(), space_.columns(), &levels_[at * space_.columns()]);
        group.loss = reach.loss();
    }
};

}  // namespace biombo
