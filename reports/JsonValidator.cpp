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

  void report(const std::string &path, const Twine &message) { deviations.push_back((path + ": " + message).str()); }

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
                   {"duration_ms", v.number()}});
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
