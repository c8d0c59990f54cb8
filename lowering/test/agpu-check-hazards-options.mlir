// RUN: lockstep-opt %s --agpu-check-hazards=severity=warning --verify-diagnostics -o /dev/null
// RUN: lockstep-opt %s "--agpu-check-hazards=severity=warning assume-arguments-alias=true" -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALIAS
// RUN: not lockstep-opt %s --agpu-check-hazards=severity=shout -o /dev/null 2>&1 | FileCheck %s --check-prefix=BAD

// ALIAS: warning: hazard: 'agpu.memset' writes memory that an unordered 'agpu.memset' writes
// ALIAS: note: to order them
// ALIAS: warning: hazard: 'agpu.memset' writes memory that an unordered 'agpu.memset' writes
// BAD: error: unknown severity 'shout': expected error or warning

// expected-note@+1 {{the memory is argument #0}}
func.func @warning(%m: memref<4xi32, 1>, %v: i32) {
  // expected-note@+1 {{here 'agpu.memset' writes it}}
  %a = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
  // expected-warning@+2 {{hazard: 'agpu.memset' writes memory that an unordered 'agpu.memset' writes}}
  // expected-note@+1 {{add the chain}}
  %b = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
  return
}

func.func @arguments(%m: memref<4xi32, 1>, %n: memref<4xi32, 1>, %v: i32) {
  %a = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
  %b = agpu.memset [] (%n, %v) : memref<4xi32, 1>, i32
  return
}
