module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @fill() kernel {
      gpu.return
    }
  }
  func.func @main() {
    %one = arith.constant 1 : index
    %done = agpu.launch_func [] @kernels::@fil blocks in (%one, %one, %one) threads in (%one, %one, %one)
    agpu.wait [%done]
    return
  }
}
