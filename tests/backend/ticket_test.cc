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
  for (uint64_t i = 0; i < 100; ++i) EXPECT_EQ(ticket.Planes(0, 100)[i].mask[5], i);
}

TEST(TicketPoolTest, AReturnedTicketIsEmptyAndKeepsItsMemory) {
  TicketPool pool;
  Ticket* ticket = pool.Take();
  for (int i = 0; i < 40; ++i) ticket->AddPlanes();
  const InputPlanes* const memory = ticket->Planes(0, 40).data();
  pool.Return(ticket);
  Ticket* again = pool.Take();
  EXPECT_EQ(again, ticket);
  EXPECT_EQ(again->size(), 0);
  again->AddPlanes();
  EXPECT_EQ(again->Planes(0, 1).data(), memory);
}

TEST(TicketPoolTest, TicketsInUseAreNotHandedOutTwice) {
  TicketPool pool;
  EXPECT_NE(pool.Take(), pool.Take());
}

}  // namespace
}  // namespace plexus
