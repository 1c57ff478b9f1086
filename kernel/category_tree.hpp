// The categories of one column: leaves first, then level by level what they are part of, the total last.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace biombo {

class CategoryTree {
public:
    // `ancestors` has for each leaf, level by level, what it is part of, itself first; `levels` the level of each category.
    CategoryTree(std::vector<std::int64_t> ancestors, std::vector<std::int64_t> levels)
        : ancestors_(std::move(ancestors)), levels_(std::move(levels)) {
        if (levels_.empty()) throw std::invalid_argument("a tree has a total");
        height_ = static_cast<int>(levels_.back());
        leaves_ = static_cast<std::int64_t>(ancestors_.size()) / (height_ + 1);
        under_.resize(levels_.size());
        for (std::int64_t leaf = 0; leaf < leaves_; ++leaf)
            for (int level = 0; level <= height_; ++level) {
                const std::int64_t category = ancestor(leaf, level);
                if (category < 0 || category >= size() || levels_[category] != level)
                    throw std::invalid_argument("a leaf is part of one category of each level");
                under_[category].push_back(leaf);
            }
    }

    std::int64_t size() const { return static_cast<std::int64_t>(levels_.size()); }
    int height() const { return height_; }
    int level(std::int64_t category) const { return static_cast<int>(levels_[category]); }
    std::int64_t ancestor(std::int64_t leaf, int level) const { return ancestors_[leaf * (height_ + 1) + level]; }
    // The leaves that a category consists of, in order.
    const std::vector<std::int64_t>& leaves_under(std::int64_t category) const { return under_[category]; }

private:
    std::vector<std::int64_t> ancestors_, levels_;
    std::vector<std::vector<std::int64_t>> under_;
    int height_ = 0;
    std::int64_t leaves_ = 0;
};

}  // namespace biombo
