// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/JsonValidator.h"

#include "reports/Results.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

#include <functional>

using namespace lockstep::reports;
using llvm::StringRef;
using llvm::Twine;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {

/// Walks a document and collects deviations. `path` names the value being looked at.
class Validator {
public:
  using Check = std::function<void(const Value &, const std::string &path)>;
  struct Field {
    StringRef key;
    Check check;
    bool required = true;
  };

  std::vector<std::string> deviations;

  void report(const std::string &path, const Twine &message) {
    deviations.push_back((path.empty() ? message : path + ": " + message).str());
  }

  /// An object with exactly these fields.
  void object(const Value &value, const std::string &path, const std::vector<Field> &fields) {
    const Object *object = value.getAsObject();
    if (!object)
      return report(path, "expected an object");
    std::string prefix = path.empty() ? "" : path + ".";
    llvm::StringMap<bool> known;
    for (const Field &field : fields) {
      known[field.key] = true;
      if (const Value *member = object->get(field.key))
        field.check(*member, prefix + field.key.str());
      else if (field.required)
        report(prefix + field.key.str(), "missing");
    }
    for (const auto &member : *object)
      if (!known.contains(StringRef(member.first)))
        report(prefix + StringRef(member.first).str(), "not a key of this schema");
  }

  Check text() {
    return [this](const Value &value, const std::string &path) {
      if (!value.getAsString())
        report(path, "expected a string");
    };
  }
  Check number() {
    return [this](const Value &value, const std::string &path) {
      if (!value.getAsNumber())
        report(path, "expected a number");
    };
  }
  Check count() {
    return [this](const Value &value, const std::string &path) {
      if (!value.getAsUINT64())
        report(path, "expected a whole number, not negative");
    };
  }
  Check boolean() {
    return [this](const Value &value, const std::string &path) {
      if (!value.getAsBoolean())
        report(path, "expected true or false");
    };
  }
  Check orNull(Check check) {
    return [check](const Value &value, const std::string &path) {
      if (value.kind() != Value::Null)
        check(value, path);
    };
  }
  Check list(Check element) {
    return [this, element](const Value &value, const std::string &path) {
      const Array *array = value.getAsArray();
      if (!array)
        return report(path, "expected an array");
      for (size_t i = 0; i < array->size(); ++i)
        element((*array)[i], path + "[" + std::to_string(i) + "]");
    };
  }
  Check fields(std::vector<Field> members) {
    return [this, members](const Value &value, const std::string &path) { object(value, path, members); };
  }
  Check verdict() {
    return [this](const Value &value, const std::string &path) {
      std::optional<StringRef> name = value.getAsString();
      if (!name || !verdictFromName(*name))
        report(path, "expected a verdict");
    };
  }
  Check metrics() {
    return [this](const Value &value, const std::string &path) {
      const Object *object = value.getAsObject();
      if (!object)
        return report(path, "expected an object");
      Check metric = fields({{"value", number()}, {"unit", text()}, {"samples", list(number()), /*required=*/false}});
      for (const auto &member : *object)
        metric(member.second, path + "." + StringRef(member.first).str());
    };
  }
};

} // namespace

static Validator::Check runCheck(Validator &v) {
  return v.fields(
      {{"id", v.text()},
       {"started", v.text()},
       {"duration_ms", v.number()},
       {"command", v.text()},
       {"seed", v.orNull(v.count())},
       {"git", v.fields({{"sha", v.orNull(v.text())}, {"dirty", v.orNull(v.boolean())}})},
       {"host", v.fields({{"name", v.text()},
                          {"system", v.text()},
                          {"architecture", v.text()},
                          {"cpu", v.text()},
                          {"cores", v.count()}})},
       {"drivers", v.list(v.fields({{"backend", v.text()},
                                    {"driver", v.text()},
                                    {"path", v.text()},
                                    {"version", v.text()},
                                    {"simulated", v.boolean()}}))},
       {"devices",
        v.list(v.fields({{"backend", v.text()}, {"driver", v.text()}, {"index", v.count()}, {"name", v.text()}}))}});
}

/// Reports each of `keys` in the elements of `object[list]` that is no position in `object[target]`.
static void checkPositions(Validator &v, const Object &object, const std::string &path, StringRef list,
                           llvm::ArrayRef<StringRef> keys, StringRef target) {
  const Array *elements = object.getArray(list);
  const Array *targets = object.getArray(target);
  if (!elements || !targets)
    return;
  for (size_t i = 0; i < elements->size(); ++i)
    for (StringRef key : keys)
      if (const Object *element = (*elements)[i].getAsObject())
        if (std::optional<int64_t> position = element->getInteger(key);
            position && *position >= static_cast<int64_t>(targets->size()))
          v.report(path + "." + list.str() + "[" + std::to_string(i) + "]." + key.str(),
                   "is " + Twine(*position) + ", " + target + " has " + Twine(targets->size()));
}

static Validator::Check edgesCheck(Validator &v) {
  Validator::Check state = [&v](const Value &value, const std::string &path) {
    std::optional<StringRef> name = value.getAsString();
    if (!name || !edgeStateFromName(*name))
      v.report(path, "expected 'enforced', 'missing' or 'extra'");
  };
  return v.list(v.fields({{"from", v.count()}, {"to", v.count()}, {"state", state}}));
}

static Validator::Check graphCheck(Validator &v) {
  Validator::Check node = v.fields({{"op", v.text()}, {"kind", v.text()}, {"place", v.text()}});
  Validator::Check shape = v.fields({{"nodes", v.list(node)}, {"edges", edgesCheck(v)}});
  return [&v, shape](const Value &value, const std::string &path) {
    shape(value, path);
    if (const Object *object = value.getAsObject())
      checkPositions(v, *object, path, "edges", {"from", "to"}, "nodes");
  };
}

static void checkSpanTimes(Validator &v, const Object &timeline, const std::string &path) {
  const Array *spans = timeline.getArray("spans");
  for (size_t i = 0; spans && i < spans->size(); ++i)
    if (const Object *span = (*spans)[i].getAsObject())
      if (span->getNumber("end_ns").value_or(0) < span->getNumber("start_ns").value_or(0))
        v.report(path + ".spans[" + std::to_string(i) + "].end_ns", "is before start_ns");
}

static Validator::Check timelineCheck(Validator &v) {
  Validator::Check span = v.fields(
      {{"track", v.count()}, {"op", v.text()}, {"name", v.text()}, {"start_ns", v.number()}, {"end_ns", v.number()}});
  Validator::Check shape =
      v.fields({{"clock", v.text()}, {"tracks", v.list(v.text())}, {"spans", v.list(span)}, {"flows", edgesCheck(v)}});
  return [&v, shape](const Value &value, const std::string &path) {
    shape(value, path);
    const Object *object = value.getAsObject();
    if (!object)
      return;
    checkPositions(v, *object, path, "spans", {"track"}, "tracks");
    checkPositions(v, *object, path, "flows", {"from", "to"}, "spans");
    checkSpanTimes(v, *object, path);
  };
}

static Validator::Check cellCheck(Validator &v) {
  return v.fields({{"scenario", v.text()},
                   {"lowering", v.text()},
                   {"backend", v.text()},
                   {"driver", v.text()},
                   {"schedule", v.text()},
                   {"seed", v.orNull(v.count())},
                   {"verdict", v.verdict()},
                   {"reason", v.text()},
                   {"findings", v.list(v.fields({{"oracle", v.text()},
                                                 {"rule", v.text()},
                                                 {"message", v.text()},
                                                 {"ops", v.list(v.text())},
                                                 {"repro", v.text()}}))},
                   {"metrics", v.metrics()},
                   {"duration_ms", v.number()},
                   {"repro", v.text()},
                   {"graph", graphCheck(v), /*required=*/false},
                   {"timeline", timelineCheck(v), /*required=*/false}});
}

static void checkTotals(Validator &v, const Object &document) {
  const Object *totals = document.getObject("totals");
  const Array *cells = document.getArray("cells");
  if (!totals || !cells)
    return;
  llvm::StringMap<int64_t> counts;
  counts["cells"] = cells->size();
  for (const Value &cell : *cells)
    if (const Object *object = cell.getAsObject())
      if (std::optional<StringRef> verdict = object->getString("verdict"))
        ++counts[*verdict];
  for (const auto &member : *totals) {
    StringRef name = member.first;
    if (std::optional<int64_t> total = member.second.getAsInteger(); total && *total != counts.lookup(name))
      v.report("totals." + name.str(), "is " + Twine(*total) + ", the cells give " + Twine(counts.lookup(name)));
  }
}

std::vector<std::string> lockstep::reports::validateResultsJson(const Value &document) {
  Validator v;
  std::vector<Validator::Field> totals = {{"cells", v.count()}};
  for (Verdict verdict : kAllVerdicts)
    totals.push_back({verdictName(verdict), v.count()});
  Validator::Check schema = [&v](const Value &value, const std::string &path) {
    if (value.getAsString() != std::optional<StringRef>(kResultsSchema))
      v.report(path, "expected '" + Twine(kResultsSchema) + "'");
  };
  v.object(document, "",
           {{"schema", schema}, {"run", runCheck(v)}, {"cells", v.list(cellCheck(v))}, {"totals", v.fields(totals)}});
  if (const Object *object = document.getAsObject())
    checkTotals(v, *object);
  return std::move(v.deviations);
}
