module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8xf32>) -> (tensor<4x8xf32> {jax.result_info = "result[0]"}, tensor<4x8xf32> {jax.result_info = "result[1]"}, tensor<4x8xf32> {jax.result_info = "result[2]"}, tensor<4x8xf32> {jax.result_info = "result[3]"}, tensor<4x8xf32> {jax.result_info = "result[4]"}, tensor<4x8xf32> {jax.result_info = "result[5]"}, tensor<4x8xf32> {jax.result_info = "result[6]"}, tensor<4x8xf32> {jax.result_info = "result[7]"}, tensor<4x8xf32> {jax.result_info = "result[8]"}, tensor<4x8xf32> {jax.result_info = "result[9]"}, tensor<4x8xf32> {jax.result_info = "result[10]"}, tensor<4x8xf32> {jax.result_info = "result[11]"}, tensor<4x8xf32> {jax.result_info = "result[12]"}, tensor<4x8xf32> {jax.result_info = "result[13]"}) {
    %cst = stablehlo.constant dense<[-59.9633484, 98.0010757, -56.6762848, 13.9312611, -1.23916578]> : tensor<5xf32>
    %cst_0 = stablehlo.constant dense<[1.000000e+00, 1.95448864, 4.67627907, 86.3602447, -225.462692, 200.260208, -82.0372238, 15.9056225, -1.18331623]> : tensor<9xf32>
    %cst_1 = stablehlo.constant dense<[3.23774886, 6.91522884, 3.93881035, 1.33303463, 0.201485395, 0.0123716639, 3.01581546E-4, 2.65806966E-6, 6.23974561E-9]> : tensor<9xf32>
    %cst_2 = stablehlo.constant dense<[1.000000e+00, 6.02427053, 3.67983556, 1.37702096, 2.162370e-01, 1.342040e-02, 3.28014459E-4, 2.89247873E-6, 6.79019418E-9]> : tensor<9xf32>
    %cst_3 = stablehlo.constant dense<[4.05544901, 31.5251102, 57.1628189, 44.0805092, 14.6849566, 2.18663311, -0.140256077, -0.035042461, -8.57456762E-4]> : tensor<9xf32>
    %cst_4 = stablehlo.constant dense<[1.000000e+00, 15.7799883, 45.3907623, 41.3172035, 15.0425386, 2.5046494, -0.142182916, -0.0380806401, -9.33259492E-4]> : tensor<9xf32>
    %0 = chlo.erf %arg0 : tensor<4x8xf32> -> tensor<4x8xf32>
    %1 = chlo.erfc %arg0 : tensor<4x8xf32> -> tensor<4x8xf32>
    %2 = chlo.erf_inv %arg0 : tensor<4x8xf32> -> tensor<4x8xf32>
    %3 = chlo.lgamma %arg0 : tensor<4x8xf32> -> tensor<4x8xf32>
    %4 = chlo.digamma %arg0 : tensor<4x8xf32> -> tensor<4x8xf32>
    %5 = stablehlo.abs %arg0 : tensor<4x8xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_7 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %9 = stablehlo.multiply %6, %5 : tensor<4x8xf32>
    %10 = stablehlo.subtract %9, %7 : tensor<4x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %14 = stablehlo.multiply %10, %11 : tensor<4x8xf32>
    %15 = stablehlo.subtract %14, %12 : tensor<4x8xf32>
    %cst_11 = stablehlo.constant dense<-1.30002498E-8> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %17 = stablehlo.add %15, %16 : tensor<4x8xf32>
    %18 = stablehlo.multiply %10, %17 : tensor<4x8xf32>
    %19 = stablehlo.subtract %18, %11 : tensor<4x8xf32>
    %cst_12 = stablehlo.constant dense<6.04699508E-8> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %21 = stablehlo.add %19, %20 : tensor<4x8xf32>
    %22 = stablehlo.multiply %10, %21 : tensor<4x8xf32>
    %23 = stablehlo.subtract %22, %17 : tensor<4x8xf32>
    %cst_13 = stablehlo.constant dense<-2.67079372E-7> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %25 = stablehlo.add %23, %24 : tensor<4x8xf32>
    %26 = stablehlo.multiply %10, %25 : tensor<4x8xf32>
    %27 = stablehlo.subtract %26, %21 : tensor<4x8xf32>
    %cst_14 = stablehlo.constant dense<1.11738757E-6> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %29 = stablehlo.add %27, %28 : tensor<4x8xf32>
    %30 = stablehlo.multiply %10, %29 : tensor<4x8xf32>
    %31 = stablehlo.subtract %30, %25 : tensor<4x8xf32>
    %cst_15 = stablehlo.constant dense<-4.41673819E-6> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %33 = stablehlo.add %31, %32 : tensor<4x8xf32>
    %34 = stablehlo.multiply %10, %33 : tensor<4x8xf32>
    %35 = stablehlo.subtract %34, %29 : tensor<4x8xf32>
    %cst_16 = stablehlo.constant dense<1.64484482E-5> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %37 = stablehlo.add %35, %36 : tensor<4x8xf32>
    %38 = stablehlo.multiply %10, %37 : tensor<4x8xf32>
    %39 = stablehlo.subtract %38, %33 : tensor<4x8xf32>
    %cst_17 = stablehlo.constant dense<-5.75419508E-5> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %41 = stablehlo.add %39, %40 : tensor<4x8xf32>
    %42 = stablehlo.multiply %10, %41 : tensor<4x8xf32>
    %43 = stablehlo.subtract %42, %37 : tensor<4x8xf32>
    %cst_18 = stablehlo.constant dense<1.88502891E-4> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %45 = stablehlo.add %43, %44 : tensor<4x8xf32>
    %46 = stablehlo.multiply %10, %45 : tensor<4x8xf32>
    %47 = stablehlo.subtract %46, %41 : tensor<4x8xf32>
    %cst_19 = stablehlo.constant dense<-5.76375576E-4> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %49 = stablehlo.add %47, %48 : tensor<4x8xf32>
    %50 = stablehlo.multiply %10, %49 : tensor<4x8xf32>
    %51 = stablehlo.subtract %50, %45 : tensor<4x8xf32>
    %cst_20 = stablehlo.constant dense<0.00163947558> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %53 = stablehlo.add %51, %52 : tensor<4x8xf32>
    %54 = stablehlo.multiply %10, %53 : tensor<4x8xf32>
    %55 = stablehlo.subtract %54, %49 : tensor<4x8xf32>
    %cst_21 = stablehlo.constant dense<-4.324310e-03> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %57 = stablehlo.add %55, %56 : tensor<4x8xf32>
    %58 = stablehlo.multiply %10, %57 : tensor<4x8xf32>
    %59 = stablehlo.subtract %58, %53 : tensor<4x8xf32>
    %cst_22 = stablehlo.constant dense<0.0105464607> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %61 = stablehlo.add %59, %60 : tensor<4x8xf32>
    %62 = stablehlo.multiply %10, %61 : tensor<4x8xf32>
    %63 = stablehlo.subtract %62, %57 : tensor<4x8xf32>
    %cst_23 = stablehlo.constant dense<-0.0237374157> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %65 = stablehlo.add %63, %64 : tensor<4x8xf32>
    %66 = stablehlo.multiply %10, %65 : tensor<4x8xf32>
    %67 = stablehlo.subtract %66, %61 : tensor<4x8xf32>
    %cst_24 = stablehlo.constant dense<0.0493052825> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %69 = stablehlo.add %67, %68 : tensor<4x8xf32>
    %70 = stablehlo.multiply %10, %69 : tensor<4x8xf32>
    %71 = stablehlo.subtract %70, %65 : tensor<4x8xf32>
    %cst_25 = stablehlo.constant dense<-9.490110e-02> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %73 = stablehlo.add %71, %72 : tensor<4x8xf32>
    %74 = stablehlo.multiply %10, %73 : tensor<4x8xf32>
    %75 = stablehlo.subtract %74, %69 : tensor<4x8xf32>
    %cst_26 = stablehlo.constant dense<0.171620905> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %77 = stablehlo.add %75, %76 : tensor<4x8xf32>
    %78 = stablehlo.multiply %10, %77 : tensor<4x8xf32>
    %79 = stablehlo.subtract %78, %73 : tensor<4x8xf32>
    %cst_27 = stablehlo.constant dense<-0.304682672> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %81 = stablehlo.add %79, %80 : tensor<4x8xf32>
    %82 = stablehlo.multiply %10, %81 : tensor<4x8xf32>
    %83 = stablehlo.subtract %82, %77 : tensor<4x8xf32>
    %cst_28 = stablehlo.constant dense<0.676795303> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %85 = stablehlo.add %83, %84 : tensor<4x8xf32>
    %86 = stablehlo.subtract %85, %77 : tensor<4x8xf32>
    %cst_29 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %88 = stablehlo.multiply %87, %86 : tensor<4x8xf32>
    %89 = stablehlo.divide %8, %5 : tensor<4x8xf32>
    %90 = stablehlo.subtract %89, %7 : tensor<4x8xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %94 = stablehlo.multiply %90, %91 : tensor<4x8xf32>
    %95 = stablehlo.subtract %94, %92 : tensor<4x8xf32>
    %cst_33 = stablehlo.constant dense<3.39623196E-9> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %97 = stablehlo.add %95, %96 : tensor<4x8xf32>
    %98 = stablehlo.multiply %90, %97 : tensor<4x8xf32>
    %99 = stablehlo.subtract %98, %91 : tensor<4x8xf32>
    %cst_34 = stablehlo.constant dense<2.26666899E-8> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %101 = stablehlo.add %99, %100 : tensor<4x8xf32>
    %102 = stablehlo.multiply %90, %101 : tensor<4x8xf32>
    %103 = stablehlo.subtract %102, %97 : tensor<4x8xf32>
    %cst_35 = stablehlo.constant dense<2.04891862E-7> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %105 = stablehlo.add %103, %104 : tensor<4x8xf32>
    %106 = stablehlo.multiply %90, %105 : tensor<4x8xf32>
    %107 = stablehlo.subtract %106, %101 : tensor<4x8xf32>
    %cst_36 = stablehlo.constant dense<2.89137051E-6> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %109 = stablehlo.add %107, %108 : tensor<4x8xf32>
    %110 = stablehlo.multiply %90, %109 : tensor<4x8xf32>
    %111 = stablehlo.subtract %110, %105 : tensor<4x8xf32>
    %cst_37 = stablehlo.constant dense<6.88975852E-5> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %113 = stablehlo.add %111, %112 : tensor<4x8xf32>
    %114 = stablehlo.multiply %90, %113 : tensor<4x8xf32>
    %115 = stablehlo.subtract %114, %109 : tensor<4x8xf32>
    %cst_38 = stablehlo.constant dense<0.00336911646> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %117 = stablehlo.add %115, %116 : tensor<4x8xf32>
    %118 = stablehlo.multiply %90, %117 : tensor<4x8xf32>
    %119 = stablehlo.subtract %118, %113 : tensor<4x8xf32>
    %cst_39 = stablehlo.constant dense<0.804490387> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %121 = stablehlo.add %119, %120 : tensor<4x8xf32>
    %122 = stablehlo.subtract %121, %113 : tensor<4x8xf32>
    %cst_40 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %124 = stablehlo.multiply %123, %122 : tensor<4x8xf32>
    %125 = stablehlo.sqrt %5 : tensor<4x8xf32>
    %126 = stablehlo.divide %124, %125 : tensor<4x8xf32>
    %cst_41 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %128 = stablehlo.compare LE, %5, %127, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %129 = stablehlo.select %128, %88, %126 : tensor<4x8xi1>, tensor<4x8xf32>
    %cst_42 = stablehlo.constant dense<0.864664733> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %131 = stablehlo.compare GT, %arg0, %130, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %133 = stablehlo.subtract %132, %arg0 : tensor<4x8xf32>
    %134 = call @_where(%131, %133, %arg0) : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %136 = stablehlo.compare EQ, %134, %135, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_45 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %138 = call @_where(%136, %137, %134) : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %cst_46 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %140 = stablehlo.subtract %138, %139 : tensor<4x8xf32>
    %141 = chlo.square %140 : tensor<4x8xf32> -> tensor<4x8xf32>
    %142 = stablehlo.multiply %140, %141 : tensor<4x8xf32>
    %143 = call @polyval(%cst, %141) : (tensor<5xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %144 = call @polyval_0(%cst_0, %141) : (tensor<9xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %145 = stablehlo.divide %143, %144 : tensor<4x8xf32>
    %146 = stablehlo.multiply %142, %145 : tensor<4x8xf32>
    %147 = stablehlo.add %140, %146 : tensor<4x8xf32>
    %cst_47 = stablehlo.constant dense<-2.50662827> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %149 = stablehlo.multiply %147, %148 : tensor<4x8xf32>
    %150 = stablehlo.log %138 : tensor<4x8xf32>
    %cst_48 = stablehlo.constant dense<-2.000000e+00> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %152 = stablehlo.multiply %151, %150 : tensor<4x8xf32>
    %153 = stablehlo.sqrt %152 : tensor<4x8xf32>
    %154 = stablehlo.log %153 : tensor<4x8xf32>
    %155 = stablehlo.divide %154, %153 : tensor<4x8xf32>
    %156 = stablehlo.subtract %153, %155 : tensor<4x8xf32>
    %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %158 = stablehlo.divide %157, %153 : tensor<4x8xf32>
    %159 = call @polyval_0(%cst_1, %158) : (tensor<9xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %161 = stablehlo.divide %160, %153 : tensor<4x8xf32>
    %162 = call @polyval_0(%cst_2, %161) : (tensor<9xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %163 = stablehlo.divide %159, %162 : tensor<4x8xf32>
    %164 = stablehlo.divide %163, %153 : tensor<4x8xf32>
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %166 = stablehlo.divide %165, %153 : tensor<4x8xf32>
    %167 = call @polyval_0(%cst_3, %166) : (tensor<9xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %168 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %169 = stablehlo.divide %168, %153 : tensor<4x8xf32>
    %170 = call @polyval_0(%cst_4, %169) : (tensor<9xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %171 = stablehlo.divide %167, %170 : tensor<4x8xf32>
    %172 = stablehlo.divide %171, %153 : tensor<4x8xf32>
    %173 = stablehlo.subtract %156, %164 : tensor<4x8xf32>
    %174 = stablehlo.subtract %156, %172 : tensor<4x8xf32>
    %cst_53 = stablehlo.constant dense<0.135335281> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %176 = stablehlo.compare GT, %138, %175, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_54 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %178 = stablehlo.compare GE, %153, %177, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %179 = call @_where(%178, %173, %174) : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %180 = call @_where(%176, %149, %179) : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %cst_55 = stablehlo.constant dense<0.864664733> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %182 = stablehlo.compare GT, %arg0, %181, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %183 = stablehlo.negate %180 : tensor<4x8xf32>
    %184 = call @_where(%182, %180, %183) : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %cst_56 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %187 = stablehlo.compare EQ, %arg0, %186, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %188 = stablehlo.negate %185 : tensor<4x8xf32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %190 = stablehlo.compare EQ, %arg0, %189, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %191 = call @_where(%190, %185, %184) : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %192 = call @_where(%187, %188, %191) : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %193 = chlo.asin %arg0 : tensor<4x8xf32> -> tensor<4x8xf32>
    %194 = chlo.acos %arg0 : tensor<4x8xf32> -> tensor<4x8xf32>
    %195 = chlo.atan %arg0 : tensor<4x8xf32> -> tensor<4x8xf32>
    %196 = chlo.sinh %arg0 : tensor<4x8xf32> -> tensor<4x8xf32>
    %197 = chlo.cosh %arg0 : tensor<4x8xf32> -> tensor<4x8xf32>
    %198 = chlo.asinh %arg0 : tensor<4x8xf32> -> tensor<4x8xf32>
    %199 = chlo.atanh %arg0 : tensor<4x8xf32> -> tensor<4x8xf32>
    return %0, %1, %2, %3, %4, %129, %192, %193, %194, %195, %196, %197, %198, %199 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func private @_where(%arg0: tensor<4x8xi1>, %arg1: tensor<4x8xf32>, %arg2: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x8xi1>, tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
  func.func private @polyval(%arg0: tensor<5xf32>, %arg1: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.slice %arg0 [0:0] : (tensor<5xf32>) -> tensor<0xf32>
    %2 = stablehlo.slice %arg0 [0:5] : (tensor<5xf32>) -> tensor<5xf32>
    %3 = stablehlo.slice %2 [0:1] : (tensor<5xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %5 = call @closed_call(%arg1, %0, %4) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %6 = stablehlo.slice %2 [1:2] : (tensor<5xf32>) -> tensor<1xf32>
    %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
    %8 = call @closed_call(%arg1, %5, %7) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %9 = stablehlo.slice %2 [2:3] : (tensor<5xf32>) -> tensor<1xf32>
    %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
    %11 = call @closed_call(%arg1, %8, %10) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %12 = stablehlo.slice %2 [3:4] : (tensor<5xf32>) -> tensor<1xf32>
    %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
    %14 = call @closed_call(%arg1, %11, %13) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %15 = stablehlo.slice %2 [4:5] : (tensor<5xf32>) -> tensor<1xf32>
    %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
    %17 = call @closed_call(%arg1, %14, %16) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    return %17 : tensor<4x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<f32>) -> tensor<4x8xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<4x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %2 = stablehlo.add %0, %1 : tensor<4x8xf32>
    return %2 : tensor<4x8xf32>
  }
  func.func private @polyval_0(%arg0: tensor<9xf32>, %arg1: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.slice %arg0 [0:0] : (tensor<9xf32>) -> tensor<0xf32>
    %2 = stablehlo.slice %arg0 [0:9] : (tensor<9xf32>) -> tensor<9xf32>
    %3 = stablehlo.slice %2 [0:1] : (tensor<9xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %5 = call @closed_call_1(%arg1, %0, %4) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %6 = stablehlo.slice %2 [1:2] : (tensor<9xf32>) -> tensor<1xf32>
    %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
    %8 = call @closed_call_1(%arg1, %5, %7) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %9 = stablehlo.slice %2 [2:3] : (tensor<9xf32>) -> tensor<1xf32>
    %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
    %11 = call @closed_call_1(%arg1, %8, %10) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %12 = stablehlo.slice %2 [3:4] : (tensor<9xf32>) -> tensor<1xf32>
    %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
    %14 = call @closed_call_1(%arg1, %11, %13) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %15 = stablehlo.slice %2 [4:5] : (tensor<9xf32>) -> tensor<1xf32>
    %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
    %17 = call @closed_call_1(%arg1, %14, %16) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %18 = stablehlo.slice %2 [5:6] : (tensor<9xf32>) -> tensor<1xf32>
    %19 = stablehlo.reshape %18 : (tensor<1xf32>) -> tensor<f32>
    %20 = call @closed_call_1(%arg1, %17, %19) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %21 = stablehlo.slice %2 [6:7] : (tensor<9xf32>) -> tensor<1xf32>
    %22 = stablehlo.reshape %21 : (tensor<1xf32>) -> tensor<f32>
    %23 = call @closed_call_1(%arg1, %20, %22) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %24 = stablehlo.slice %2 [7:8] : (tensor<9xf32>) -> tensor<1xf32>
    %25 = stablehlo.reshape %24 : (tensor<1xf32>) -> tensor<f32>
    %26 = call @closed_call_1(%arg1, %23, %25) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %27 = stablehlo.slice %2 [8:9] : (tensor<9xf32>) -> tensor<1xf32>
    %28 = stablehlo.reshape %27 : (tensor<1xf32>) -> tensor<f32>
    %29 = call @closed_call_1(%arg1, %26, %28) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    return %29 : tensor<4x8xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<f32>) -> tensor<4x8xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<4x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %2 = stablehlo.add %0, %1 : tensor<4x8xf32>
    return %2 : tensor<4x8xf32>
  }
}
