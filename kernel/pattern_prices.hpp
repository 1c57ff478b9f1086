// What it costs to take cells into a pattern.
#pragma once

#include <limits>

#include "hidden_marks.hpp"

namespace biombo {

constexpr double never = std::numeric_limits<double>::infinity();

// One number of each cell, as it may be more or less.
struct Amounts {
    const double* below;  // how much less a cell may have
    const double* slack;  // how much less, in the eyes of whoever has most of it
    const double* down;   // how much less and more it must be possible that the cell itself has
    const double* up;
};

// The price of a cell is that of leaving it out: nothing where it is left out already. All that a search asks of a cell
// lies side by side, since it asks of cells that lie far apart.
class PatternPrices {
public:
    PatternPrices(const std::vector<std::int64_t>& shape, const double* prices, const bool* hidden, const bool* alone,
                  std::vector<Amounts> amounts)
        : amounts_(std::move(amounts)), width_(amounts_.size() + 1), prices_(prices), marks_(shape) {
        entries_.resize(marks_.size() * width_);
        for (std::size_t cell = 0; cell < marks_.size(); ++cell) {
            double* entry = &entries_[cell * width_];
            entry[0] = prices[cell];
            for (std::size_t i = 0; i < amounts_.size(); ++i) entry[i + 1] = alone[cell] ? -1.0 : amounts_[i].slack[cell];
            if (hidden[cell]) hide(static_cast<std::int64_t>(cell));
        }
    }

    std::size_t size() const { return marks_.size(); }
    const std::vector<std::int64_t>& strides() const { return marks_.strides(); }
    bool is_hidden(std::int64_t cell) const { return entries_[cell * width_] == 0.0; }
    bool is_fixed(std::int64_t cell) const { return prices_[cell] == never; }
    bool is_alone(std::int64_t cell) const { return entries_[cell * width_ + 1] < 0.0; }

    void hide(std::int64_t cell) {
        entries_[cell * width_] = 0.0;
        marks_.set(cell, is_alone(cell) ? 0 : HiddenMarks::mark(entries_[cell * width_ + 1]));
    }

    void show(std::int64_t cell) {
        entries_[cell * width_] = prices_[cell];
        marks_.set(cell, 0);
    }

    // What a cell can spare, all its numbers together; less than nothing where somebody is alone in it.
    double spare(std::int64_t cell) const {
        double sum = 0.0;
        for (std::size_t i = 1; i < width_; ++i) sum += entries_[cell * width_ + i];
        return sum;
    }

    // Prices are asked for the sake of this cell.
    void set_cell(std::int64_t cell) {
        cell_ = cell;
        for (auto& need : needs_) need.clear();
        for (const auto& each : amounts_) {
            needs_[0].push_back(each.down[cell]);
            needs_[1].push_back(each.up[cell]);
        }
        for (int odd : {0, 1}) least_[odd] = HiddenMarks::mark(needs_[odd].front());
    }

    // The price of a cell on whose way a pattern went over to other leaves `crossed` times: an odd number of times, it has
    // less when the cell has more.
    double of(std::int64_t cell, int crossed) const {
        if (crossed == 0) return uncrossed(cell);
        const double* entry = &entries_[cell * width_];
        const auto& need = needs_[crossed % 2];
        for (std::size_t i = 1; i < width_; ++i)
            if (entry[i] < need[i - 1]) return never;
        return entry[0];
    }

    // The same, where nothing more may be left out.
    double of_hidden(std::int64_t cell, int crossed) const {
        if (crossed > 0 && marks_.of(cell) < least_[crossed % 2]) return never;
        return of(cell, crossed) == 0.0 ? 0.0 : never;
    }

    // Along a column, next to `cell`: no cell whose mark is below the least can take part where nothing more is left out.
    const std::uint8_t* marks(std::size_t axis, std::int64_t cell) const { return marks_.line(axis, cell); }
    std::uint8_t least_mark() const { return least_[1]; }

private:
    std::vector<Amounts> amounts_;
    std::size_t width_;
    const double* prices_;
    HiddenMarks marks_;
    std::vector<double> entries_;  // by cell: the price, and what it can spare of each number
    std::vector<double> needs_[2];
    std::uint8_t least_[2] = {0, 0};
    std::int64_t cell_ = -1;

    double uncrossed(std::int64_t cell) const {
        if (cell == cell_) return 0.0;
        for (std::size_t i = 0; i + 1 < width_; ++i)
            if (amounts_[i].below[cell] < needs_[0][i]) return never;
        return entries_[cell * width_];
    }
};

}  // namespace biombo
