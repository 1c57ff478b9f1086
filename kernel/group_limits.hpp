// Whether groups are what they must be, and would be with others or without some of their records.
#pragma once

#include <cstdint>
#include <vector>

#include "group_demand.hpp"
#include "recoded_groups.hpp"

namespace biombo {

class GroupLimits {
public:
    GroupLimits(const RecodedGroups& groups, GroupDemand& demand) : groups_(groups), demand_(demand) {}

    std::uint64_t k() const { return demand_.k(); }
    bool only_size() const { return demand_.only_size(); }

    double lacks(std::uint32_t group) const {
        return only_size() ? lacks_of_size(groups_[group].size) : demand_.none().with(groups_[group].members).shortfall();
    }

    double lack_together(std::uint32_t one, std::uint32_t other) const {
        if (only_size()) return lacks_of_size(groups_[one].size + groups_[other].size);
        return demand_.none().with(groups_[one].members).with(groups_[other].members).shortfall();
    }

    double lacks_with(std::uint32_t group, std::uint32_t element, std::uint32_t count) const {
        if (only_size()) return lacks_of_size(groups_[group].size + count);
        return demand_.none().with(groups_[group].members).with(element, count).shortfall();
    }

    bool spares(std::uint32_t group, std::uint32_t element, std::uint32_t count) const {
        if (only_size()) return groups_[group].size >= k() + count;
        return demand_.none().with_all_but(groups_[group].members, element, count).shortfall() <= 0;
    }

    bool may_take(std::uint32_t group, std::uint32_t element, std::uint32_t count) const {
        return only_size() || lacks_with(group, element, count) <= 0;
    }

    bool may_exchange(std::uint32_t group, std::uint32_t leaving, std::uint32_t coming) const {
        return only_size() || demand_.none().with_all_but(groups_[group].members, leaving, 1).with(coming, 1).shortfall() <= 0;
    }

    // The same of the first `cut` of these records and of the others.
    bool may_cut(const std::vector<Member>& members, std::uint64_t cut) const {
        if (only_size()) return true;
        std::uint64_t before = 0;
        demand_.none();
        std::size_t place = 0;
        for (; place < members.size() && before < cut; ++place) {
            demand_.with(members[place].element, members[place].count);
            before += members[place].count;
        }
        if (demand_.shortfall() > 0) return false;
        demand_.none();
        for (; place < members.size(); ++place) demand_.with(members[place].element, members[place].count);
        return demand_.shortfall() <= 0;
    }

    // Those of some groups that have records and lack something.
    std::vector<std::uint32_t> open(std::vector<std::uint32_t> groups) const {
        std::erase_if(groups, [&](std::uint32_t group) { return groups_[group].size == 0 || lacks(group) <= 0; });
        return groups;
    }

private:
    const RecodedGroups& groups_;
    GroupDemand& demand_;

    double lacks_of_size(std::uint64_t size) const { return size < k() ? static_cast<double>(k() - size) : 0; }
};

}  // namespace biombo
