// RUN: lockstep-opt %s --agpu-check-hazards --split-input-file --verify-diagnostics

// The edge from memset to memcpy of a correct program is missing.
func.func @missing_edge(%v: i32, %h: memref<4xi32>) {
  // expected-note@+1 {{the memory comes from 'agpu.alloc'}}
  %m, %a = agpu.alloc [] () : memref<4xi32, 1>
  // expected-note@+1 {{here 'agpu.memset' writes it}}
  %b = agpu.memset [%a] (%m, %v) : memref<4xi32, 1>, i32
  // expected-error@+2 {{hazard: 'agpu.memcpy' reads memory that an unordered 'agpu.memset' writes}}
  // expected-note@+1 {{to order them, add the chain of 'agpu.memset' to the chains of 'agpu.memcpy'}}
  %c = agpu.memcpy [%a] (%h, %m) : memref<4xi32>, memref<4xi32, 1>
  agpu.wait [%b, %c]
  return
}

// -----

// expected-note@+1 {{the memory is argument #0}}
func.func @host_reads_too_early(%h: memref<4xi32>, %m: memref<4xi32, 1>) {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{here 'agpu.memcpy' writes it}}
  %c = agpu.memcpy [] (%h, %m) : memref<4xi32>, memref<4xi32, 1>
  // expected-error@+2 {{hazard: 'memref.load' reads memory that an unordered 'agpu.memcpy' writes}}
  // expected-note@+1 {{to order them, wait for the chain of 'agpu.memcpy' before 'memref.load'}}
  %v = memref.load %h[%c0] : memref<4xi32>
  agpu.wait [%c]
  return
}

// -----

func.func private @print(memref<*xi32>)
// expected-note@+1 {{the memory is argument #0}}
func.func @host_call_too_early(%h: memref<4xi32>, %m: memref<4xi32, 1>) {
  // expected-note@+1 {{here 'agpu.memcpy' writes it}}
  %c = agpu.memcpy [] (%h, %m) : memref<4xi32>, memref<4xi32, 1>
  %u = memref.cast %h : memref<4xi32> to memref<*xi32>
  // expected-error@+2 {{hazard: 'func.call' reads and writes memory that an unordered 'agpu.memcpy' writes}}
  // expected-note@+1 {{wait for the chain}}
  call @print(%u) : (memref<*xi32>) -> ()
  return
}

// -----

// The host overwrites what a copy still reads.
// expected-note@+1 {{the memory is argument #0}}
func.func @host_writes_too_early(%h: memref<4xi32>, %m: memref<4xi32, 1>, %v: i32) {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{here 'agpu.memcpy' reads it}}
  %c = agpu.memcpy [] (%m, %h) : memref<4xi32, 1>, memref<4xi32>
  // expected-error@+2 {{hazard: 'memref.store' writes memory that an unordered 'agpu.memcpy' reads}}
  // expected-note@+1 {{wait for the chain}}
  memref.store %v, %h[%c0] : memref<4xi32>
  return
}

// -----

func.func @before_alloc(%v: i32) {
  // expected-note@+2 {{the memory comes from 'agpu.alloc'}}
  // expected-note@+1 {{here 'agpu.alloc' allocates it}}
  %m, %a = agpu.alloc [] () : memref<4xi32, 1>
  // expected-error@+2 {{hazard: 'agpu.memset' writes memory that an unordered 'agpu.alloc' allocates}}
  // expected-note@+1 {{add the chain}}
  %b = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
  return
}

// -----

func.func @freed_too_early(%v: i32) {
  // expected-note@+1 {{the memory comes from 'agpu.alloc'}}
  %m = agpu.alloc () : memref<4xi32, 1>
  // expected-note@+1 {{here 'agpu.memset' writes it}}
  %b = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
  // expected-error@+2 {{hazard: 'agpu.dealloc' frees memory that an unordered 'agpu.memset' writes}}
  // expected-note@+1 {{add the chain}}
  %d = agpu.dealloc [] %m : memref<4xi32, 1>
  return
}

// -----

func.func @use_after_free(%v: i32) {
  // expected-note@+1 {{the memory comes from 'agpu.alloc'}}
  %m = agpu.alloc () : memref<4xi32, 1>
  // expected-note@+1 {{here 'agpu.dealloc' frees it}}
  %d = agpu.dealloc [] %m : memref<4xi32, 1>
  // expected-error@+2 {{hazard: 'agpu.memset' writes memory that 'agpu.dealloc' has freed}}
  // expected-note@+1 {{to order them, let 'agpu.dealloc' come after 'agpu.memset' and after its chain}}
  %b = agpu.memset [%d] (%m, %v) : memref<4xi32, 1>, i32
  return
}

// -----

// A kernel that writes what it says it only takes.
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @fill(%dst: memref<4xi32, 1>, %src: memref<4xi32, 1>, %v: i32) kernel {
    %i = gpu.thread_id x
    memref.store %v, %dst[%i] : memref<4xi32, 1>
    gpu.return
  }
}
// expected-note@+1 {{the memory is argument #0}}
func.func @kernel(%m: memref<4xi32, 1>, %n: memref<4xi32, 1>, %v: i32) {
  %one = arith.constant 1 : index
  // expected-note@+1 {{here 'agpu.memset' writes it}}
  %a = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
  %b = agpu.memset [] (%n, %v) : memref<4xi32, 1>, i32
  // expected-error@+2 {{hazard: 'agpu.launch_func' writes memory that an unordered 'agpu.memset' writes}}
  // expected-note@+1 {{add the chain}}
  %c = agpu.launch_func [] @kernels::@fill blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%m : memref<4xi32, 1>, %n : memref<4xi32, 1>, %v : i32)
  return
}
}

// -----

// A launch region is looked into; overlapping slices.
// expected-note@+1 {{the memory is argument #0}}
func.func @region(%m: memref<8xi32, 1>, %v: i32) {
  %one = arith.constant 1 : index
  %lo = memref.subview %m[0] [5] [1] : memref<8xi32, 1> to memref<5xi32, strided<[1]>, 1>
  %hi = memref.subview %m[4] [4] [1] : memref<8xi32, 1> to memref<4xi32, strided<[1], offset: 4>, 1>
  // expected-note@+1 {{here 'agpu.launch' writes it}}
  %a = agpu.launch [] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                      threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
    memref.store %v, %lo[%tx] : memref<5xi32, strided<[1]>, 1>
    agpu.terminator
  }
  // expected-error@+2 {{hazard: 'agpu.memset' writes memory that an unordered 'agpu.launch' writes}}
  // expected-note@+1 {{add the chain}}
  %b = agpu.memset [] (%hi, %v) : memref<4xi32, strided<[1], offset: 4>, 1>, i32
  return
}

// -----

// A synchronous operation is not ordered after what is pending.
// expected-note@+1 {{the memory is argument #0}}
func.func @synchronous(%m: memref<4xi32, 1>, %v: i32) {
  // expected-note@+1 {{here 'agpu.memset' writes it}}
  %a = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
  // expected-error@+2 {{hazard: 'agpu.memset' writes memory that an unordered 'agpu.memset' writes}}
  // expected-note@+1 {{wait for the chain}}
  agpu.memset (%m, %v) : memref<4xi32, 1>, i32
  return
}

// -----

// The chain is not carried: each iteration races with the one before.
// expected-note@+1 {{the memory is argument #0}}
func.func @loop(%m: memref<4xi32, 1>, %v: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+3 {{hazard: 'agpu.memset' writes memory that an unordered 'agpu.memset' of an earlier iteration writes}}
    // expected-note@+2 {{here 'agpu.memset' writes it}}
    // expected-note@+1 {{to order them, carry the chain of 'agpu.memset' into the next iteration and add it to the chains of 'agpu.memset'}}
    %a = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
  }
  return
}

// -----

// One of two ways lacks the edge.
// expected-note@+1 {{the memory is argument #0}}
func.func @branch(%m: memref<4xi32, 1>, %v: i32, %p: i1, %none: !agpu.chain) {
  // expected-note@+1 {{here 'agpu.memset' writes it}}
  %a = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
  %b = scf.if %p -> !agpu.chain {
    scf.yield %a : !agpu.chain
  } else {
    scf.yield %none : !agpu.chain
  }
  // expected-error@+2 {{hazard: 'agpu.memset' writes memory that an unordered 'agpu.memset' writes}}
  // expected-note@+1 {{add the chain}}
  %c = agpu.memset [%b] (%m, %v) : memref<4xi32, 1>, i32
  return
}

// -----

// The same with branches.
// expected-note@+1 {{the memory is argument #0}}
func.func @blocks(%m: memref<4xi32, 1>, %v: i32, %p: i1, %none: !agpu.chain) {
  // expected-note@+1 {{here 'agpu.memset' writes it}}
  %a = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
  cf.cond_br %p, ^end(%a : !agpu.chain), ^end(%none : !agpu.chain)
^end(%b: !agpu.chain):
  // expected-error@+2 {{hazard: 'agpu.memset' writes memory that an unordered 'agpu.memset' writes}}
  // expected-note@+1 {{add the chain}}
  %c = agpu.memset [%b] (%m, %v) : memref<4xi32, 1>, i32
  return
}
