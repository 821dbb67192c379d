#include "backend/comparison.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <limits>

namespace plexus {
namespace {

constexpr const char* kNames[Comparison::kQuantities] = {"wl", "d", "m", "prior"};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// 0: below 1e-8; 1: below 1e-7; ... 8: below 1; 9: the rest, also what is no number.
int DecadeOf(double difference) {
  double bound = 1e-8;
  for (int decade = 0; decade < Comparison::kDecades - 1; ++decade, bound *= 10) {
    if (difference < bound) return decade;
  }
  return Comparison::kDecades - 1;
}

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return text;
}

}  // namespace

bool Tolerance::Agree(double first, double second) const {
  return std::fabs(first - second) <= absolute + relative * std::fabs(second);
}

Comparison::Comparison(const Tolerance& tolerance, bool compare_draws, bool compare_moves_left)
    : tolerance_(tolerance), draws_(compare_draws), moves_left_(compare_moves_left) {}

Comparison::Worst Comparison::AddNumbers(const EvalOutput& first, const EvalOutput& second) {
  assert(first.policy.size() == second.policy.size());
  Worst worst;
  AddOne(kWinLoss, first.wl, second.wl, &worst);
  if (draws_) AddOne(kDraw, first.d, second.d, &worst);
  if (moves_left_) AddOne(kMovesLeft, first.m, second.m, &worst);
  for (size_t i = 0; i < first.policy.size(); ++i)
    AddOne(kPrior, first.policy[i], second.policy[i], &worst);
  ++positions_;
  if (worst.excess > 1) ++disagreeing_;
  return worst;
}

void Comparison::AddOne(Quantity quantity, double first, double second, Worst* worst) {
  const double difference = std::fabs(first - second);
  Counts& counts = quantities_[quantity];
  ++counts.histogram[DecadeOf(difference)];
  counts.largest = difference <= counts.largest ? counts.largest : difference;  // also NaN
  double excess = 0;
  if (!tolerance_.Agree(first, second)) {
    const double tolerated = tolerance_.absolute + tolerance_.relative * std::fabs(second);
    excess = difference / tolerated;
    if (!(excess > 1)) excess = kInfinity;  // not a number, or nothing is tolerated
  } else if (difference > 0) {
    excess =
        std::min(1.0, difference / (tolerance_.absolute + tolerance_.relative * std::fabs(second)));
  }
  if (excess > worst->excess) *worst = {excess, quantity, first, second};
}

std::string Comparison::Summary() const {
  std::string text = std::to_string(positions_) + " positions compared, " +
                     std::to_string(disagreeing_) + " beyond tolerance; largest difference of";
  const char* separator = " ";
  for (int i = 0; i < kQuantities; ++i) {
    if ((i == kDraw && !draws_) || (i == kMovesLeft && !moves_left_)) continue;
    text += separator + std::string(kNames[i]) + " " + Number(quantities_[i].largest);
    separator = ", ";
  }
  if (worst_.excess > 0) {
    text += "; worst " + std::string(kNames[worst_.quantity]) + " " + Number(worst_.first) +
            " against " + Number(worst_.second) + " in " + worst_fen_;
  }
  return text;
}

std::string Comparison::Report() const {
  std::string text = Summary() + "\ndifference";
  for (const char* name : kNames) text += "\t" + std::string(name);
  text += "\n";
  for (int decade = 0; decade < kDecades; ++decade) {
    text +=
        decade == kDecades - 1 ? "1 and more" : "below 1e" + std::to_string(decade - kDecades + 2);
    for (const Counts& counts : quantities_)
      text += "\t" + std::to_string(counts.histogram[decade]);
    text += "\n";
  }
  return text;
}

}  // namespace plexus
