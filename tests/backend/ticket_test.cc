#include "backend/ticket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/exception.h"

namespace plexus {
namespace {

TEST(TicketTest, WaitReturnsOnceAllPositionsAreDelivered) {
  Ticket ticket;
  for (int i = 0; i < 5; ++i) ticket.AddPlanes();
  ticket.Begin();
  ticket.Deliver(2);
  ticket.Deliver(3);
  EXPECT_NO_THROW(ticket.Wait());
}

TEST(TicketTest, WaitThrowsTheFirstReasonWhenPositionsWereGivenUp) {
  Ticket ticket;
  for (int i = 0; i < 3; ++i) ticket.AddPlanes();
  ticket.Begin();
  ticket.GiveUp(1, "first");
  ticket.Deliver(1);
  ticket.GiveUp(1, "second");
  try {
    ticket.Wait();
    FAIL() << "nothing was thrown";
  } catch (const Exception& e) {
    EXPECT_STREQ(e.what(), "first");
  }
}

TEST(TicketTest, AFailureIsForgottenWhenTheTicketIsUsedAgain) {
  Ticket ticket;
  ticket.AddPlanes();
  ticket.Begin();
  ticket.GiveUp(1, "broken");
  ticket.Clear();
  ticket.AddPlanes();
  ticket.Begin();
  ticket.Deliver(1);
  EXPECT_NO_THROW(ticket.Wait());
}

TEST(TicketTest, PlanesKeepTheirPlaceWhileTheTicketGrows) {
  Ticket ticket;
  for (uint64_t i = 0; i < 100; ++i) ticket.AddPlanes()->mask[5] = i;
  ticket.Begin();
  EXPECT_EQ(ticket.size(), 100);
  for (uint64_t i = 0; i < 100; ++i) EXPECT_EQ(ticket.Batch(0, 100).planes[i].mask[5], i);
}

TEST(TicketTest, APartOfATicketOwnsTheLogitsThatItsPositionsWant) {
  Ticket ticket;
  for (uint16_t i = 0; i < 4; ++i) {
    ticket.AddPlanes();
    std::ranges::fill(ticket.AddPolicyIndices(10 + i), i);
  }
  ticket.Begin();
  const DeviceBatch batch = ticket.Batch(1, 2);
  const LogitBatch logits = ticket.Logits(1, 2);
  EXPECT_EQ(batch.Indices(0).size(), 11u);
  EXPECT_EQ(batch.Indices(1).size(), 12u);
  EXPECT_EQ(batch.Indices(1)[0], 2);
  EXPECT_EQ(logits.policy_logits.size(), 23u);
  EXPECT_EQ(logits.policy_logits.data(), ticket.Logits(0, 4).policy_logits.data() + 10);
  EXPECT_EQ(logits.value_logits.size(), 6u);
}

TEST(TicketPoolTest, AReturnedTicketIsEmptyAndKeepsItsMemory) {
  TicketPool pool;
  Ticket* ticket = pool.Take();
  for (int i = 0; i < 40; ++i) ticket->AddPlanes();
  const InputPlanes* const memory = ticket->Batch(0, 40).planes.data();
  pool.Return(ticket);
  Ticket* again = pool.Take();
  EXPECT_EQ(again, ticket);
  EXPECT_EQ(again->size(), 0);
  again->AddPlanes();
  EXPECT_EQ(again->Batch(0, 1).planes.data(), memory);
}

TEST(TicketPoolTest, TicketsInUseAreNotHandedOutTwice) {
  TicketPool pool;
  EXPECT_NE(pool.Take(), pool.Take());
}

}  // namespace
}  // namespace plexus
