#include "bench/study_tree.h"

#include <gtest/gtest.h>

namespace plexus {
namespace {

TEST(StudyTree, ChildrenAreSortedByPriorsThatSumToOne) {
  // Seen from outside: the first visits go to the children in order.
  StudyTree tree(10);
  const StudyTree::NodeId children = tree.NewChildren(StudyTree::kRoot);
  tree.Link(StudyTree::kRoot, children);
  EXPECT_EQ(tree.Choose(StudyTree::kRoot), children);
  EXPECT_EQ(tree.Enter(children), 0u);
  EXPECT_EQ(tree.Choose(StudyTree::kRoot), children + 1);
}

TEST(StudyTree, PrefersWhatWonAndAvoidsWhatLost) {
  StudyTree tree(10);
  const StudyTree::NodeId children = tree.NewChildren(StudyTree::kRoot);
  tree.Link(StudyTree::kRoot, children);
  for (const auto& [child, value] : {std::pair(children, -1.0f), std::pair(children + 1, 1.0f)}) {
    for (int i = 0; i < 4; ++i) {
      tree.Enter(child);
      tree.AddVisit(child, value);
    }
  }
  EXPECT_EQ(tree.Choose(StudyTree::kRoot), children + 1);
}

TEST(StudyTree, EvaluationsDependOnTheNodeAlone) {
  EXPECT_EQ(StudyTree::Evaluate(77), StudyTree::Evaluate(77));
  EXPECT_NE(StudyTree::Evaluate(77), StudyTree::Evaluate(78));
  double sum = 0;
  for (uint32_t i = 0; i < 10'000; ++i) {
    const float value = StudyTree::Evaluate(i);
    EXPECT_TRUE(value >= -1 && value < 1);
    sum += value;
  }
  EXPECT_NEAR(sum / 10'000, 0, 0.03);
}

TEST(StudyTree, RefusesMoreThanItHasRoomFor) {
  StudyTree tree(1);
  tree.NewChildren(StudyTree::kRoot);
  EXPECT_ANY_THROW(tree.NewChildren(StudyTree::kRoot));
}

}  // namespace
}  // namespace plexus
