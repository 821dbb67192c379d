#include "bench/study_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "base/exception.h"

namespace plexus {
namespace {

constexpr float kCpuct = 1.745f;

// splitmix64's finisher.
uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

float Uniform(uint64_t number) {
  return static_cast<float>(Mix(number * 0x9e3779b97f4a7c15u) >> 40) * 0x1p-24f;
}

}  // namespace

StudyTree::StudyTree(uint32_t capacity)
    : size_((capacity + 2) * kBranching),
      nodes_(static_cast<Node*>(std::calloc(size_, sizeof(Node)))),
      next_(2 * kBranching) {
  if (!nodes_) throw Exception("No memory for the tree of the study.", "Ask for fewer nodes.");
}

StudyTree::NodeId StudyTree::NewChildren(NodeId parent) {
  const NodeId first = next_.fetch_add(kBranching, std::memory_order_relaxed);
  if (first + kBranching > size_) throw Exception("The tree of the study is full.", "Run shorter.");
  std::array<float, kBranching> priors;
  float sum = 0;
  for (uint32_t i = 0; i < kBranching; ++i) {
    priors[i] = std::exp(3 * Uniform(uint64_t{parent} * 64 + i));
    sum += priors[i];
  }
  std::sort(priors.begin(), priors.end(), std::greater<>());
  for (uint32_t i = 0; i < kBranching; ++i) nodes_[first + i].prior = priors[i] / sum;
  return first;
}

float StudyTree::Evaluate(NodeId node) { return 2 * Uniform(uint64_t{node} * 64 + 63) - 1; }

StudyTree::NodeId StudyTree::Choose(NodeId node) const {
  const Node& parent = nodes_[node];
  const float exploration = kCpuct * std::sqrt(static_cast<float>(std::max(1u, parent.n)));
  // Unvisited moves are as good as the parent, a little less.
  const float unvisited =
      parent.n > 0 ? -parent.sum / static_cast<float>(parent.n) - 0.33f : -0.33f;
  NodeId best = parent.children;
  float best_score = -1e9f;
  for (NodeId child = parent.children; child < parent.children + kBranching; ++child) {
    const Node& c = nodes_[child];
    const uint32_t waiting = in_flight(child), started = c.n + waiting;
    const float q = started > 0 ? (c.sum - static_cast<float>(waiting)) / static_cast<float>(started)
                                : unvisited;
    const float score = q + exploration * c.prior / static_cast<float>(1 + started);
    if (score > best_score) {
      best_score = score;
      best = child;
    }
    if (started == 0) break;  // priors fall, so no later one is better
  }
  return best;
}

}  // namespace plexus
