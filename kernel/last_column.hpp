// The last quasi column at any of its levels.
//
// Sorted rows that a step in the last column makes equal stand together already. So it takes its steps while the groups
// are read, and no table has to be made for them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lattice_question.hpp"
#include "row.hpp"

namespace biombo {

template <int W>
class LastColumn {
public:
    LastColumn(const Layout& layout, const std::vector<Steps>& steps) : codes_(1, {0}) {
        if (steps.empty()) return;
        for (std::size_t column = 0; column + 1 < steps.size(); ++column) include(before_, layout.quasi[column]);
        field_ = layout.quasi.back();
        codes_[0].resize(steps.back().share[0].size());
        for (std::size_t code = 0; code < codes_[0].size(); ++code) codes_[0][code] = code << field_.shift;
        for (const auto& up : steps.back().up) {
            auto codes = codes_.back();
            for (auto& code : codes) code = std::uint64_t{up[code >> field_.shift]} << field_.shift;
            codes_.push_back(std::move(codes));
        }
    }

    void set_level(int level) { code_there_ = codes_[level].data(); }

    // The quasi columns of a row with the last one at the level that was set.
    Row<W> codes_of(const Row<W>& row) const {
        Row<W> codes = masked(row, before_);
        codes.word[W == 1 ? 0 : field_.word] |= code_there_[field_.get(row)];
        return codes;
    }

    bool has(const Row<W>& row, const Row<W>& codes) const {
        const Row<W> own = codes_of(row);
        return std::equal(own.word, own.word + W, codes.word);
    }

private:
    Row<W> before_{};  // the bits of the columns before
    Field field_;
    std::vector<std::vector<std::uint64_t>> codes_;  // per level and code of level 0: the code there, in its place in the word
    const std::uint64_t* code_there_ = nullptr;      // those of the level that was set
};

}  // namespace biombo
