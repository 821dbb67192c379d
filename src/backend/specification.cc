#include "backend/specification.h"

#include "base/exception.h"

namespace plexus {
namespace {

constexpr const char* kBackendKey = "backend";
constexpr const char* kJoining = "multiplexing";  // several in parentheses are joined by this

class Builder {
 public:
  explicit Builder(const BackendNames& names) : names_(names) {}

  // `backend`: what it is if `dict` does not say.
  BackendSpec Build(const std::string& backend, const OptionsDict& dict) const {
    BackendSpec spec;
    spec.backend = Resolve(backend);
    spec.options = dict;
    std::string of_children;  // what children are that do not say
    if (dict.Has(kBackendKey)) {
      const std::string given = Resolve(spec.options.GetString(kBackendKey, ""));
      const bool is_this = dict.children().empty()
                               ? names_.KindOf(spec.backend) == BackendKind::kDevice
                               : dict.HasOwn(kBackendKey) && !IsDevice(given);
      (is_this || !IsDevice(given) ? spec.backend : of_children) = given;
    }
    if (!dict.children().empty() && IsDevice(spec.backend)) {
      if (of_children.empty()) of_children = spec.backend;
      spec.backend = kJoining;
    }
    AddChildren(of_children, &spec);
    return spec;
  }

 private:
  bool IsDevice(const std::string& name) const {
    return names_.KindOf(name) == BackendKind::kDevice;
  }

  void AddChildren(const std::string& of_children, BackendSpec* spec) const {
    const BackendKind kind = names_.KindOf(spec->backend);
    const std::vector<OptionsDict>& listed = spec->options.children();
    OptionsDict shared = spec->options;
    if (of_children.empty()) shared.Remove(kBackendKey);
    for (const OptionsDict& child : listed)
      spec->children.push_back(BuildChild(child, of_children, shared));
    if (listed.empty() && (kind == BackendKind::kJoin || kind == BackendKind::kWrap)) {
      spec->listed = !of_children.empty();
      shared.Remove(kBackendKey);
      spec->children.push_back(
          Build(spec->listed ? of_children : "auto", OptionsDict().WithDefaults(shared)));
    }
    const size_t count = spec->children.size();
    const auto require = [&](bool is_right, const std::string& what) {
      if (is_right) return;
      throw Exception("Backend " + spec->backend + " needs " + what + " in BackendOptions, not " +
                          std::to_string(count) + ".",
                      "Write each as (backend=NAME,key=value,...).");
    };
    if (kind == BackendKind::kPair) require(count == 2, "two backends");
    if (kind == BackendKind::kWrap) require(count == 1, "one backend");
    if (kind == BackendKind::kAlone) require(count == 0, "no backends");
  }

  std::string Resolve(const std::string& name) const {
    const std::string resolved = names_.Resolve(name);
    if (resolved.empty()) names_.Refuse(name);
    return resolved;
  }

  BackendSpec BuildChild(const OptionsDict& child, const std::string& of_children,
                         const OptionsDict& shared) const {
    OptionsDict options = child.WithDefaults(shared);
    std::string backend = of_children.empty() ? "auto" : of_children;
    std::string label;
    const bool names_backend = !child.name().empty() && !child.Has(kBackendKey) &&
                               (!shared.Has(kBackendKey) || !names_.Resolve(child.name()).empty());
    if (names_backend) {
      backend = child.name();
      options.Remove(kBackendKey);
    } else {
      label = child.name();
    }
    BackendSpec spec = Build(backend, options);
    spec.label = label;
    return spec;
  }

  const BackendNames& names_;
};

}  // namespace

BackendSpec ParseSpecification(const std::string& backend, const std::string& options,
                               const BackendNames& names) {
  return Builder(names).Build(backend, OptionsDict::Parse(options));
}

void CheckAllRead(const BackendSpec& spec) {
  for (const BackendSpec& child : spec.children) {
    CheckAllRead(child);
    spec.options.MarkRead(child.options);
  }
  try {
    spec.options.CheckAllRead(false);
  } catch (const Exception& e) {
    throw Exception("Backend " + (spec.label.empty() ? "" : spec.label + " = ") + spec.backend +
                    ": " + e.what());
  }
}

}  // namespace plexus
