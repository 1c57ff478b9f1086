// What a group of records must be: so many of them, and what rules ask of the values of targets.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "rules.hpp"

namespace biombo {

// Some records of one element: a distinct tuple of quasi columns and targets.
struct Member {
    std::uint32_t element;
    std::uint32_t count;
};

class GroupDemand {
public:
    // `codes` has a code for each element, target by target.
    GroupDemand(std::uint64_t k, std::vector<Rule> rules, const std::vector<TargetValues>& targets,
                const std::vector<std::vector<std::uint32_t>>& codes)
        : k_(k), rules_(std::move(rules)), targets_(targets.size()), counted_(targets.size()) {
        for (const auto& target : targets) histograms_.emplace_back(target);
        auto by_element = std::make_shared<std::vector<std::uint32_t>>(codes.empty() ? 0 : codes[0].size() * targets_);
        for (std::size_t target = 0; target < targets_; ++target)
            for (std::size_t element = 0; element < codes[target].size(); ++element)
                (*by_element)[element * targets_ + target] = codes[target][element];
        codes_ = std::move(by_element);
        for (const auto& rule : rules_) counted_[static_cast<std::size_t>(rule.target)] = true;
    }

    std::uint64_t k() const { return k_; }
    bool only_size() const { return rules_.empty(); }

    // How much the records that were gathered lack of what they must be; 0: nothing.
    double shortfall() {
        double lacking = size_ < k_ ? static_cast<double>(k_ - size_) : 0;
        for (const Rule& rule : rules_) {
            const double value = size_ == 0 ? 0 : histograms_[static_cast<std::size_t>(rule.target)].value(rule);
            if (size_ == 0 || !meets(rule, value)) lacking += missing(rule, value);
        }
        return lacking;
    }

    GroupDemand& none() {
        size_ = 0;
        if (!only_size())
            for (auto& histogram : histograms_) histogram.clear();
        return *this;
    }

    GroupDemand& with(std::uint32_t element, std::uint64_t count) {
        size_ += count;
        if (only_size() || count == 0) return *this;
        for (std::size_t target = 0; target < targets_; ++target)
            if (counted_[target]) histograms_[target].add((*codes_)[element * targets_ + target], count);
        return *this;
    }

    GroupDemand& with(const std::vector<Member>& members) {
        for (const Member& each : members) with(each.element, each.count);
        return *this;
    }

    // All but some records of one element.
    GroupDemand& with_all_but(const std::vector<Member>& members, std::uint32_t element, std::uint32_t count) {
        for (const Member& each : members) with(each.element, each.element == element ? each.count - count : each.count);
        return *this;
    }

private:
    static constexpr double least_missing = 0.01, most_missing = 4;  // records of a rule, in those that are there

    // About how many records more would make them meet the rule, if these had the values of the whole table: whatever is
    // above its bound falls as the share of the first records does.
    double missing(const Rule& rule, double value) const {
        if (size_ == 0) return 1;
        if (rule.kind == RuleKind::distinct) return rule.bound - value;
        double times = value / rule.bound;
        if (rule.kind == RuleKind::entropy) times = std::exp2(rule.bound - value);
        if (rule.kind == RuleKind::gain || rule.kind == RuleKind::limited_gain) times = (1 + value) / (1 + rule.bound);
        if (rule.kind == RuleKind::log_ratio) times = std::exp2(value - rule.bound);
        return static_cast<double>(size_) * std::clamp(times - 1, least_missing, most_missing);
    }

    std::uint64_t k_;
    std::vector<Rule> rules_;
    std::size_t targets_;
    std::shared_ptr<const std::vector<std::uint32_t>> codes_;  // of all copies
    std::vector<bool> counted_;
    std::vector<TargetHistogram> histograms_;
    std::uint64_t size_ = 0;
};

}  // namespace biombo
