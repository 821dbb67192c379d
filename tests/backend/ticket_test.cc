#include "backend/ticket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/exception.h"
#include "base/fake_clock.h"

namespace plexus {
namespace {

class TicketTest : public testing::Test {
 protected:
  TicketRef New(int positions) {
    const TicketRef ticket = pool_.Take();
    for (int i = 0; i < positions; ++i) ticket->AddPlanes();
    ticket->Begin();
    return ticket;
  }
  Ticket::Outcome Wait(const TicketRef& ticket) {
    return ticket->Wait(&clock_, Clock::TimePoint::max());
  }

  FakeClock clock_;
  TicketPool pool_;
};

TEST_F(TicketTest, WaitReturnsOnceAllPositionsAreDelivered) {
  const TicketRef ticket = New(5);
  ticket->Deliver(2);
  ticket->Deliver(3);
  EXPECT_EQ(Wait(ticket), Ticket::Outcome::kDone);
}

TEST_F(TicketTest, WaitThrowsTheFirstReasonWhenPositionsWereGivenUp) {
  const TicketRef ticket = New(3);
  ticket->GiveUp(1, "first");
  ticket->Deliver(1);
  ticket->GiveUp(1, "second");
  try {
    Wait(ticket);
    FAIL() << "nothing was thrown";
  } catch (const Exception& e) {
    EXPECT_STREQ(e.what(), "first");
  }
}

TEST_F(TicketTest, WaitEndsAtItsTime) {
  const TicketRef ticket = New(1);
  EXPECT_EQ(ticket->Wait(&clock_, clock_.Now()), Ticket::Outcome::kTimeout);
}

TEST_F(TicketTest, ACancelledTicketIsNotWaitedForUnlessAllIsThere) {
  const TicketRef missing = New(2), done = New(1);
  missing->Deliver(1);
  missing->Cancel();
  EXPECT_EQ(Wait(missing), Ticket::Outcome::kCancelled);
  done->Deliver(1);
  done->Cancel();
  EXPECT_EQ(Wait(done), Ticket::Outcome::kDone);
}

TEST_F(TicketTest, CancellingWakesWhoWaits) {
  const TicketRef ticket = New(1);
  std::jthread canceller([&] {
    while (clock_.waiters() == 0) std::this_thread::yield();
    ticket->Cancel();
  });
  EXPECT_EQ(Wait(ticket), Ticket::Outcome::kCancelled);
}

TEST_F(TicketTest, PlanesAndIndicesKeepTheirPlaceWhileTheTicketGrows) {
  const TicketRef ticket = pool_.Take();
  for (uint64_t i = 0; i < 100; ++i) {
    ticket->AddPlanes()->mask[5] = i;
    std::ranges::fill(ticket->AddPolicyIndices(i % 4), static_cast<uint16_t>(i));
  }
  ticket->Begin();
  EXPECT_EQ(ticket->size(), 100);
  const DeviceBatch batch = ticket->Batch(10, 80);
  const LogitBatch logits = ticket->Logits(10, 80);
  EXPECT_EQ(logits.policy_logits.size(), batch.policy_indices.size());
  for (uint64_t i = 0; i < 80; ++i) {
    EXPECT_EQ(batch.planes[i].mask[5], i + 10);
    EXPECT_EQ(batch.Indices(i).size(), (i + 10) % 4);
    for (const uint16_t index : batch.Indices(i)) EXPECT_EQ(index, i + 10);
  }
}

TEST_F(TicketTest, ATicketGoesBackWithItsLastReferenceEmptyAndWithItsMemory) {
  TicketRef ticket = New(40), slice = ticket;
  ticket->GiveUp(40, "broken");
  ticket->Cancel();
  const Ticket* const before = ticket.get();
  const InputPlanes* const memory = ticket->Batch(0, 40).planes.data();
  ticket = TicketRef();
  EXPECT_NE(pool_.Take().get(), before) << "a device still has it";
  slice = TicketRef();
  // Of the two that are free now, the last returned comes first.
  const TicketRef again = pool_.Take();
  EXPECT_EQ(again.get(), before);
  EXPECT_EQ(again->size(), 0);
  EXPECT_FALSE(again->cancelled());
  again->AddPlanes();
  again->Begin();
  EXPECT_EQ(again->Batch(0, 1).planes.data(), memory);
  again->Deliver(1);
  EXPECT_EQ(Wait(again), Ticket::Outcome::kDone) << "the failure is forgotten";
}

TEST_F(TicketTest, TicketsInUseAreNotHandedOutTwice) {
  const TicketRef one = pool_.Take(), other = pool_.Take();
  EXPECT_NE(one.get(), other.get());
}

}  // namespace
}  // namespace plexus
