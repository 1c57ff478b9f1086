// What is left out of a table, and about how much it can spare: a byte for each cell, side by side along every column.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace biombo {

class HiddenMarks {
public:
    explicit HiddenMarks(const std::vector<std::int64_t>& shape) : shape_(shape), strides_(shape.size(), 1) {
        for (std::size_t axis = shape.size(); axis-- > 1;) strides_[axis - 1] = strides_[axis] * shape[axis];
        cells_ = static_cast<std::size_t>(strides_.front() * shape.front());
        along_.assign(shape.size(), std::vector<std::uint8_t>(cells_));
    }

    std::size_t size() const { return cells_; }
    const std::vector<std::int64_t>& strides() const { return strides_; }

    // The mark of a cell that can spare so much: no other can that has a lower one. There is none, 0, where a cell is shown
    // or somebody is alone in it.
    static std::uint8_t mark(double spare) {
        return static_cast<std::uint8_t>(1.0 + std::clamp(std::floor(spare), 0.0, 254.0));
    }

    std::uint8_t of(std::int64_t cell) const { return along_.back()[cell]; }

    void set(std::int64_t cell, std::uint8_t mark) {
        for (std::size_t axis = 0; axis < shape_.size(); ++axis)
            along_[axis][start(axis, cell) + cell / strides_[axis] % shape_[axis]] = mark;
    }

    // The marks along a column, of the cells that have the other categories of `cell`.
    const std::uint8_t* line(std::size_t axis, std::int64_t cell) const { return &along_[axis][start(axis, cell)]; }

private:
    std::vector<std::int64_t> shape_, strides_;
    std::size_t cells_ = 0;
    std::vector<std::vector<std::uint8_t>> along_;  // by column; along the last one cells lie as they are numbered

    std::int64_t start(std::size_t axis, std::int64_t cell) const {
        const std::int64_t whole = strides_[axis] * shape_[axis];
        return cell / whole * whole + cell % strides_[axis] * shape_[axis];
    }
};

}  // namespace biombo
