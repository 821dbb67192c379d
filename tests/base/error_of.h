#pragma once
// The text of the Exception that an action throws.

#include <string>

#include "base/exception.h"

namespace plexus {

template <class Action>
std::string ErrorOf(Action action) {
  try {
    action();
  } catch (const Exception& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace plexus
