#pragma once
// Backend and BackendOptions -> a tree of backends with their options. The grammar of the text is in base/options.h;
// what the names mean is said here.
//
//   Backend=cpu            "threads=2"                                          one backend, its options
//   Backend=multiplexing   "(backend=sim,gpu=0),(backend=sim,gpu=1)"            several, one pair of parentheses each
//   Backend=multiplexing   "cpu(threads=1),sim(gpu=1)"                          the same, named before the parentheses
//   Backend=multiplexing   "old(backend=sim,rate=9000),new(backend=sim,rate=90000)"   with labels for messages
//   Backend=multiplexing   "backend=sim,batch=128,(gpu=0),(gpu=1,batch=64)"     keys outside hold for each, unless it
//                                                                               says otherwise
//   Backend=check          "reference(),pair(backend=multiplexing,(backend=cpu),(backend=cpu))"   one inside another
//
// A name before parentheses is the backend, unless `backend` is given inside or outside: then it is a label (outside:
// if it is no backend).

#include <string>
#include <vector>

#include "base/options.h"

namespace plexus {

enum class BackendKind {
  kDevice,  // a row of the table of devices
  kJoin,    // one or more, worked as one
  kWrap,    // exactly one
  kPair,    // exactly two
  kAlone,   // none, and no device either
};

// What the parser must know of backends.
class BackendNames {
 public:
  virtual ~BackendNames() = default;
  // The name that it goes by ("cudnn-fp16" for "cudnnfp16", the best backend for "auto"); empty if there is none.
  virtual std::string Resolve(const std::string& name) const = 0;
  virtual BackendKind KindOf(const std::string& resolved) const = 0;
  // Throws Exception for a name that Resolve does not know.
  [[noreturn]] virtual void Refuse(const std::string& name) const = 0;
};

struct BackendSpec {
  std::string backend;  // resolved
  std::string label;    // what the user calls it; may be empty
  OptionsDict options;  // its own and what it inherits
  // Of a device none. One that joins or wraps and lists nobody has one child: what `backend` says, or "auto".
  std::vector<BackendSpec> children;
  bool listed = true;  // children were named, by parentheses or by `backend`
};

// Throws Exception for faults of the text, unknown names and a wrong number of children.
BackendSpec ParseSpecification(const std::string& backend, const std::string& options,
                               const BackendNames& names);

// Throws Exception naming keys that nobody has read: not the backend, nor any of those that inherit them.
void CheckAllRead(const BackendSpec& spec);

}  // namespace plexus
