#include "mcts/noise.h"

#include <algorithm>
#include <vector>

namespace plexus {

void ApplyRootNoise(const TreeWriteLock& lock, Tree& tree, const SearchParams& params,
                    Random* random) {
  if (params.noise_epsilon <= 0 || tree.root() == kNoNode) return;
  const auto children = tree.children(tree.node(tree.root()));
  RootEdges& root_edges = tree.root_edges();
  const auto allowed_moves = std::count_if(root_edges.allowed.begin(), root_edges.allowed.end(),
                                           [](uint8_t allowed) { return allowed != 0; });
  const std::vector<double> noise =
      random->Dirichlet(double{params.noise_alpha}, static_cast<size_t>(allowed_moves));
  const double epsilon = params.noise_epsilon;
  size_t next = 0;
  for (size_t i = 0; i < children.size(); ++i) {
    if (root_edges.allowed[i] == 0) continue;
    // From the child's own prior, so that noise on noise does not pile up when a root is searched
    // again.
    root_edges.priors[i] =
        static_cast<float>((1 - epsilon) * double{children[i].p()} + epsilon * noise[next++]);
  }
}

}  // namespace plexus
