// Does not free what it allocates on the device.

func.func @main() {
  %d, %allocated = agpu.alloc [] () : memref<4xi32>
  agpu.wait [%allocated]
  return
}
