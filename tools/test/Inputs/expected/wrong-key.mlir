module attributes {agpu.expect_findings = [{name = "F", lowering = "streams", oracle = "values", messages = "*"}]} {
  func.func @main() {
    return
  }
}
