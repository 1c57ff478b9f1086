// Multidimensional recoding: one region of all records is cut again and again, each time by the values of one column one
// level further down, as long as the parts are what groups must be (Mondrian, with hierarchies).
//
// Strict: all parts of a cut must be; a record's region follows from its values. Relaxed: parts that are not stay behind
// together, at the level above, with as many others as they need. After so many steps regions stay as they are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "group_demand.hpp"
#include "local_question.hpp"
#include "parallel.hpp"
#include "counted_steps.hpp"

namespace biombo {

class TopDown {
public:
    TopDown(const LocalQuestion& question, GroupDemand& demand, bool relaxed, Monitor& monitor)
        : question_(question), space_(question.columns), demand_(demand), relaxed_(relaxed), monitor_(monitor) {}

    LocalGroups run() {
        std::vector<Member> all;
        for (std::uint32_t element = 0; element < question_.counts.size(); ++element) all.push_back({element, question_.counts[element]});
        CountedSteps steps(question_.effort.steps, monitor_);
        const double records = static_cast<double>(size_of(all));
        std::vector<std::vector<Member>> open;
        if (!all.empty()) open.push_back(std::move(all));
        while (!open.empty()) {
            monitor_.check();
            const std::vector<Member> region = std::move(open.back());
            open.pop_back();
            std::vector<std::vector<Member>> parts;
            if (steps.go_on()) {
                parts = best_cut(region);
                steps.count();
            }
            if (parts.empty()) {
                close(region);
                monitor_.advance(static_cast<double>(size_of(region)) / records);
            }
            for (auto& part : parts) open.push_back(std::move(part));
        }
        found_.steps = steps.done();
        found_.is_cut = steps.are_over();
        return std::move(found_);
    }

private:
    const LocalQuestion& question_;
    RecodingSpace space_;
    GroupDemand& demand_;
    bool relaxed_;
    Monitor& monitor_;
    LocalGroups found_;
    std::uint32_t groups_ = 0;

    const std::uint32_t* codes(const Member& member) const { return space_.codes(question_.cell_of[member.element]); }

    static std::uint64_t size_of(const std::vector<Member>& members) {
        std::uint64_t size = 0;
        for (const Member& each : members) size += each.count;
        return size;
    }

    bool is_fine(const std::vector<Member>& members) { return demand_.none().with(members).shortfall() <= 0; }

    // The lowest levels at which all members are alike.
    std::vector<std::uint8_t> levels_of(const std::vector<Member>& members) const {
        std::vector<std::uint8_t> levels(space_.columns());
        const std::uint32_t* first = codes(members[0]);
        for (const Member& each : members)
            for (std::size_t c = 0; c < levels.size(); ++c) levels[c] = std::max(levels[c], space_.meeting(c, first[c], codes(each)[c]));
        return levels;
    }

    double lost(const std::vector<Member>& members) const {
        const std::vector<std::uint8_t> levels = levels_of(members);
        double sum = 0;
        for (std::size_t c = 0; c < levels.size(); ++c) sum += space_.cost(c, codes(members[0])[c], levels[c]);
        return sum * static_cast<double>(size_of(members));
    }

    // The parts of the cut after which least is lost; none where no cut is allowed.
    std::vector<std::vector<Member>> best_cut(const std::vector<Member>& region) {
        const std::vector<std::uint8_t> levels = levels_of(region);
        std::vector<std::vector<Member>> best;
        double least = lost(region) - 1e-9;
        for (std::size_t column = 0; column < levels.size(); ++column) {
            if (levels[column] == 0) continue;
            auto parts = cut(region, column, levels[column] - 1);
            if (relaxed_ ? !left_together(parts) : !std::all_of(parts.begin(), parts.end(), [&](const auto& part) { return is_fine(part); }))
                continue;
            double sum = 0;
            for (const auto& part : parts) sum += lost(part);
            if (sum < least) least = sum, best = std::move(parts);
        }
        return best;
    }

    std::vector<std::vector<Member>> cut(const std::vector<Member>& region, std::size_t column, int level) const {
        std::vector<std::pair<std::uint32_t, Member>> by_group;
        for (const Member& each : region) by_group.push_back({space_.group(column, codes(each)[column], level), each});
        std::stable_sort(by_group.begin(), by_group.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<std::vector<Member>> parts;
        for (std::size_t i = 0; i < by_group.size(); ++i) {
            if (i == 0 || by_group[i].first != by_group[i - 1].first) parts.emplace_back();
            parts.back().push_back(by_group[i].second);
        }
        return parts;
    }

    // Puts the parts that are not fine together, and further ones with them until that is; is there still a cut?
    bool left_together(std::vector<std::vector<Member>>& parts) {
        std::vector<std::vector<Member>> fine;
        std::vector<Member> rest;
        for (auto& part : parts) {
            if (is_fine(part))
                fine.push_back(std::move(part));
            else
                rest.insert(rest.end(), part.begin(), part.end());
        }
        std::stable_sort(fine.begin(), fine.end(), [](const auto& a, const auto& b) { return size_of(a) > size_of(b); });
        while (!rest.empty() && !fine.empty() && !is_fine(rest)) {
            rest.insert(rest.end(), fine.back().begin(), fine.back().end());
            fine.pop_back();
        }
        if (fine.empty()) return false;
        parts = std::move(fine);
        if (!rest.empty()) parts.push_back(std::move(rest));
        return parts.size() > 1;
    }

    void close(const std::vector<Member>& region) {
        for (const Member& each : region) {
            found_.element.push_back(each.element);
            found_.group.push_back(groups_);
            found_.count.push_back(each.count);
        }
        const std::vector<std::uint8_t> levels = levels_of(region);
        found_.levels.insert(found_.levels.end(), levels.begin(), levels.end());
        found_.meets.push_back(is_fine(region));
        ++groups_;
    }
};

}  // namespace biombo
