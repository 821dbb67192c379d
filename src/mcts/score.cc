#include <algorithm>
#include <cmath>

#include "mcts/report.h"

namespace plexus {
namespace {

// Win, draw and loss as a player sees them; sums to 1.
struct Wdl {
  double win, draw, loss;
};

Wdl ToWdl(double wl, double d) {
  wl = std::clamp(wl, -1.0, 1.0);
  d = std::clamp(d, 0.0, 1.0 - std::abs(wl));
  return {(1 + wl - d) / 2, d, (1 - wl - d) / 2};
}

// The factors of the centipawn scales make a value of 1 about 12800 centipawns, as engines of this
// kind agreed upon (lc0, src/search/classic/search.cc).
double WdlMuCentipawns(const Wdl& wdl, double wl) {
  const double from_value = 45 * std::tan(1.56728071628 * wl);
  constexpr double kTooCertain = 0.996;
  if (std::abs(wl) + wdl.draw >= kTooCertain) return from_value;
  // The middle of a logistic distribution of outcomes whose draws lie between -1 and 1. A net that gives hardly any
  // draws would make it wide without bound; 1.4 is wider than any real opponent.
  constexpr double kMostWidth = 1.4;
  const double a = std::log(1 / wdl.loss - 1);
  const double b = std::log(1 / wdl.win - 1);
  const double width = a + b > 0 ? std::min(2 / (a + b), kMostWidth) : kMostWidth;
  const double from_mu = 100 * width * (a - b) / 2;
  // Outside the draw zone the fit is loose: whichever scale says more.
  return std::abs(from_mu) < 100 || std::abs(from_value) < std::abs(from_mu) ? from_mu
                                                                             : from_value;
}

double Centipawns(const std::string& score_type, const Wdl& wdl, double q, bool has_wdl) {
  const double wl = wdl.win - wdl.loss;
  if (score_type == "centipawn") return 90 * std::tan(1.5637541897 * wl);
  if (score_type == "centipawn_with_drawscore") return 90 * std::tan(1.5637541897 * q);
  if (score_type == "centipawn_2019") return 295 * wl / (1 - 0.976953126 * std::pow(wl, 14));
  if (score_type == "centipawn_2018") return 290.680623072 * std::tan(1.548090806 * wl);
  if (score_type == "win_percentage") return 5000 * wl + 5000;
  if (score_type == "Q") return 10000 * q;
  if (score_type == "W-L") return 10000 * wl;
  return has_wdl ? WdlMuCentipawns(wdl, wl) : 45 * std::tan(1.56728071628 * wl);
}

// Rounded so that the sum is 1000 and equal chances give equal numbers.
void FillPermille(const Wdl& wdl, int* permille) {
  int win = static_cast<int>(std::lround(1000 * wdl.win));
  int loss = static_cast<int>(std::lround(1000 * wdl.loss));
  // Both may be rounded up where nothing is left for draws.
  if (win + loss > 1000) (win > loss ? win : loss) = 1000 - std::min(win, loss);
  permille[0] = win;
  permille[1] = 1000 - win - loss;
  permille[2] = loss;
}

}  // namespace

Score MakeScore(const SearchParams& params, float wl, float d, float m_plies, int proven,
                bool has_wdl, bool has_moves_left, float draw_score) {
  const bool is_proven = proven >= -1 && proven <= 1;
  const Wdl wdl = is_proven ? ToWdl(proven, proven == 0 ? 1 : 0) : ToWdl(double{wl}, double{d});
  const double q = std::clamp(wdl.win - wdl.loss + double{draw_score} * wdl.draw, -1.0, 1.0);
  Score score;
  score.centipawns =
      static_cast<int>(std::lround(Centipawns(params.score_type, wdl, q, has_wdl || is_proven)));
  if (has_wdl || is_proven) FillPermille(wdl, score.wdl);

  const double plies = std::max(0.0, double{m_plies});
  // A win ends with our move, after an odd number of plies; being mated ends with the opponent's.
  const int full_moves = std::max(1, static_cast<int>((std::lround(plies) + 1) / 2));
  if (is_proven && proven != 0) score.mate_moves = proven * full_moves;
  if (score.mate_moves.has_value()) {
    score.moves_left = full_moves;
  } else if (has_moves_left) {
    score.moves_left = static_cast<int>(std::lround(plies / 2));
  }
  return score;
}

}  // namespace plexus
