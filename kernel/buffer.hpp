// Rows in memory that is neither cleared when it is taken nor copied when it is given back in part.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

#include "row.hpp"

namespace biombo {

template <int W>
class Buffer {
public:
    Buffer() = default;
    explicit Buffer(std::size_t size) { reserve(size); size_ = size; }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    Buffer(Buffer&& other) noexcept { *this = std::move(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(rows_, other.rows_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
        return *this;
    }
    ~Buffer() { std::free(rows_); }

    Row<W>* data() { return rows_; }
    const Row<W>* data() const { return rows_; }
    std::size_t size() const { return size_; }

    // Room for `size` rows; what was there is lost when it has to grow.
    Row<W>* reserve(std::size_t size) {
        if (size > capacity_) {
            std::free(rows_);
            rows_ = nullptr;
            capacity_ = 0;
            reallocate(size);
        }
        return rows_;
    }

    // Keeps the first rows; further ones hold anything. Memory is not given back.
    void resize(std::size_t size) {
        if (size > capacity_) reallocate(size);
        size_ = size;
    }

    void shrink(std::size_t size) {
        reallocate(size);
        size_ = size;
    }

private:
    Row<W>* rows_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;

    void reallocate(std::size_t size) {
        auto* moved = static_cast<Row<W>*>(std::realloc(static_cast<void*>(rows_), (size ? size : 1) * sizeof(Row<W>)));
        if (!moved) throw std::bad_alloc();
        rows_ = moved;
        capacity_ = size;
    }
};

}  // namespace biombo
