#pragma once
// How far two evaluations of the same positions are apart, over many positions.

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "net/backend.h"

namespace plexus {

// Two numbers agree if |first - second| <= absolute + relative * |second|; what is not a number agrees with nothing.
struct Tolerance {
  double absolute = 1e-3;
  double relative = 1e-2;
  bool Agree(double first, double second) const;
};

class Comparison {
 public:
  enum Quantity { kWinLoss, kDraw, kMovesLeft, kPrior };
  static constexpr int kQuantities = 4;
  static constexpr int kDecades = 10;  // below 1e-8, then up to 1e-7, ... up to 1, above

  // compare_*: whether both sides know draws and moves left.
  Comparison(const Tolerance& tolerance, bool compare_draws, bool compare_moves_left);

  // Returns whether all numbers agree. fen: called only for the worst position so far.
  template <class MakeFen>
  bool Add(const EvalOutput& first, const EvalOutput& second, const MakeFen& fen) {
    const Worst worst = AddNumbers(first, second);
    if (worst.excess > worst_.excess) {
      worst_ = worst;
      worst_fen_ = fen();
    }
    return worst.excess <= 1;
  }

  int64_t positions() const { return positions_; }
  int64_t disagreeing() const { return disagreeing_; }
  // Of all positions, [decade] = how many differences; each prior counts.
  const std::array<int64_t, kDecades>& histogram(Quantity quantity) const {
    return quantities_[quantity].histogram;
  }
  double largest(Quantity quantity) const { return quantities_[quantity].largest; }
  // One line: counts, the largest differences, the worst position with both numbers.
  std::string Summary() const;
  // Several lines: the summary and the histograms.
  std::string Report() const;

 private:
  struct Counts {
    double largest = 0;
    std::array<int64_t, kDecades> histogram{};
  };
  struct Worst {
    double excess = 0;  // difference / what is tolerated
    Quantity quantity = kWinLoss;
    double first = 0, second = 0;
  };
  Worst AddNumbers(const EvalOutput& first, const EvalOutput& second);
  void AddOne(Quantity quantity, double first, double second, Worst* worst);

  const Tolerance tolerance_;
  const bool draws_, moves_left_;
  int64_t positions_ = 0, disagreeing_ = 0;
  std::array<Counts, kQuantities> quantities_;
  Worst worst_;
  std::string worst_fen_;
};

}  // namespace plexus
