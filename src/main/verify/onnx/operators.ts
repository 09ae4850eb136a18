/** By their domain, as onnx 1.23.2 has them; `write_operators.py` wrote it. Of each: name, fewest and most inputs, fewest and most outputs (- is any number), attributes. */
export const OPERATORS: Readonly<
  Record<string, { readonly version: number; readonly operators: string }>
> = {
  '': {
    version: 28,
    operators: `
Abs 1 1 1 1 consumed_inputs
Acos 1 1 1 1
Acosh 1 1 1 1
Add 2 2 1 1 axis broadcast consumed_inputs
AffineGrid 2 2 1 1 align_corners
And 2 2 1 1 axis broadcast
ArgMax 1 1 1 1 axis keepdims select_last_index
ArgMin 1 1 1 1 axis keepdims select_last_index
Asin 1 1 1 1
Asinh 1 1 1 1
Atan 1 1 1 1
Atanh 1 1 1 1
Attention 3 7 1 4 is_causal kv_num_heads left_window_size q_num_heads qk_matmul_output_mode right_window_size scale softcap softmax_precision
AveragePool 1 1 1 1 auto_pad ceil_mode count_include_pad dilations kernel_shape pads strides
BatchNormalization 5 5 1 5 consumed_inputs epsilon is_test momentum spatial training_mode
Bernoulli 1 1 1 1 dtype seed
BitCast 1 1 1 1 to
BitShift 2 2 1 1 direction
BitwiseAnd 2 2 1 1
BitwiseNot 1 1 1 1
BitwiseOr 2 2 1 1
BitwiseXor 2 2 1 1
BlackmanWindow 1 1 1 1 output_datatype periodic
Cast 1 1 1 1 round_mode saturate to
CastLike 2 2 1 1 round_mode saturate
CausalConvWithState 2 4 2 2 activation
Ceil 1 1 1 1 consumed_inputs
Celu 1 1 1 1 alpha
CenterCropPad 2 2 1 1 axes
Clip 1 3 1 1 consumed_inputs max min
Col2Im 3 3 1 1 dilations pads strides
Compress 2 2 1 1 axis
Concat 1 - 1 1 axis
ConcatFromSequence 1 1 1 1 axis new_axis
Constant 0 0 1 1 sparse_value value value_float value_floats value_int value_ints value_string value_strings
ConstantOfShape 1 1 1 1 value
Conv 2 3 1 1 auto_pad dilations group kernel_shape pads strides
ConvInteger 2 4 1 1 auto_pad dilations group kernel_shape pads strides
ConvTranspose 2 3 1 1 auto_pad dilations group kernel_shape output_padding output_shape pads strides
Cos 1 1 1 1
Cosh 1 1 1 1
CumProd 2 2 1 1 exclusive reverse
CumSum 2 2 1 1 exclusive reverse
DFT 1 3 1 1 axis inverse onesided
DeformConv 3 5 1 1 dilations group kernel_shape offset_group pads strides
DepthToSpace 1 1 1 1 blocksize mode
DequantizeLinear 2 3 1 1 axis block_size output_dtype
Det 1 1 1 1
Div 2 2 1 1 axis broadcast consumed_inputs
Dropout 1 3 1 2 consumed_inputs is_test ratio seed
DynamicQuantizeLinear 1 1 3 3
Einsum 1 - 1 1 equation
Elu 1 1 1 1 alpha consumed_inputs
Equal 2 2 1 1 axis broadcast
Erf 1 1 1 1
Exp 1 1 1 1 consumed_inputs
Expand 2 2 1 1
EyeLike 1 1 1 1 dtype k
Flatten 1 1 1 1 axis
Floor 1 1 1 1 consumed_inputs
GRU 3 6 0 2 activation_alpha activation_beta activations clip direction hidden_size layout linear_before_reset output_sequence
Gather 2 2 1 1 axis
GatherElements 2 2 1 1 axis
GatherND 2 2 1 1 batch_dims
Gelu 1 1 1 1 approximate
Gemm 2 3 1 1 alpha beta broadcast transA transB
GlobalAveragePool 1 1 1 1
GlobalLpPool 1 1 1 1 p
GlobalMaxPool 1 1 1 1
Greater 2 2 1 1 axis broadcast
GreaterOrEqual 2 2 1 1
GridSample 2 2 1 1 align_corners mode padding_mode
GroupNormalization 3 3 1 1 epsilon num_groups stash_type
HammingWindow 1 1 1 1 output_datatype periodic
HannWindow 1 1 1 1 output_datatype periodic
HardSigmoid 1 1 1 1 alpha beta consumed_inputs
HardSwish 1 1 1 1
Hardmax 1 1 1 1 axis
Identity 1 1 1 1
If 1 1 1 - else_branch then_branch
ImageDecoder 1 1 1 1 pixel_format
InstanceNormalization 3 3 1 1 consumed_inputs epsilon
IsInf 1 1 1 1 detect_negative detect_positive
IsNaN 1 1 1 1
LRN 1 1 1 1 alpha beta bias size
LSTM 3 8 0 3 activation_alpha activation_beta activations clip direction hidden_size input_forget layout output_sequence
LayerNormalization 2 3 1 3 axis epsilon stash_type
LeakyRelu 1 1 1 1 alpha consumed_inputs
Less 2 2 1 1 axis broadcast
LessOrEqual 2 2 1 1
LinearAttention 3 6 2 2 chunk_size kv_num_heads q_num_heads scale update_rule
Log 1 1 1 1 consumed_inputs
LogSoftmax 1 1 1 1 axis
Loop 2 - 1 - body
LpNormalization 1 1 1 1 axis p
LpPool 1 1 1 1 auto_pad ceil_mode dilations kernel_shape p pads strides
MatMul 2 2 1 1
MatMulInteger 2 4 1 1
Max 1 - 1 1 consumed_inputs
MaxPool 1 1 1 2 auto_pad ceil_mode dilations kernel_shape pads storage_order strides
MaxRoiPool 2 2 1 1 pooled_shape spatial_scale
MaxUnpool 2 3 1 1 kernel_shape pads strides
Mean 1 - 1 1 consumed_inputs
MeanVarianceNormalization 1 1 1 1 axes
MelWeightMatrix 5 5 1 1 output_datatype
Min 1 - 1 1 consumed_inputs
Mish 1 1 1 1
Mod 2 2 1 1 fmod
Mul 2 2 1 1 axis broadcast consumed_inputs
Multinomial 1 1 1 1 dtype sample_size seed
Neg 1 1 1 1 consumed_inputs
NegativeLogLikelihoodLoss 2 3 1 1 ignore_index reduction
NonMaxSuppression 2 5 1 1 center_point_box
NonZero 1 1 1 1
Not 1 1 1 1
OneHot 3 3 1 1 axis
Optional 0 1 1 1 type
OptionalGetElement 1 1 1 1
OptionalHasElement 0 1 1 1
Or 2 2 1 1 axis broadcast
PRelu 2 2 1 1 consumed_inputs
Pad 1 4 1 1 mode paddings pads value
Pow 2 2 1 1 axis broadcast
QLinearConv 8 9 1 1 auto_pad dilations group kernel_shape pads strides
QLinearMatMul 8 8 1 1
QuantizeLinear 2 3 1 1 axis block_size output_dtype precision saturate
RMSNormalization 2 2 1 1 axis epsilon stash_type
RNN 3 6 0 2 activation_alpha activation_beta activations clip direction hidden_size layout output_sequence
RandomNormal 0 0 1 1 dtype mean scale seed shape
RandomNormalLike 1 1 1 1 dtype mean scale seed
RandomUniform 0 0 1 1 dtype high low seed shape
RandomUniformLike 1 1 1 1 dtype high low seed
Range 3 3 1 1 stash_type
Reciprocal 1 1 1 1 consumed_inputs
ReduceL1 1 2 1 1 axes keepdims noop_with_empty_axes
ReduceL2 1 2 1 1 axes keepdims noop_with_empty_axes
ReduceLogSum 1 2 1 1 axes keepdims noop_with_empty_axes
ReduceLogSumExp 1 2 1 1 axes keepdims noop_with_empty_axes
ReduceMax 1 2 1 1 axes keepdims noop_with_empty_axes
ReduceMean 1 2 1 1 axes keepdims noop_with_empty_axes
ReduceMin 1 2 1 1 axes keepdims noop_with_empty_axes
ReduceProd 1 2 1 1 axes keepdims noop_with_empty_axes
ReduceSum 1 2 1 1 axes keepdims noop_with_empty_axes
ReduceSumSquare 1 2 1 1 axes keepdims noop_with_empty_axes
RegexFullMatch 1 1 1 1 pattern
Relu 1 1 1 1 consumed_inputs
Reshape 1 2 1 1 allowzero consumed_inputs shape
Resize 1 4 1 1 antialias axes coordinate_transformation_mode cubic_coeff_a exclude_outside extrapolation_value keep_aspect_ratio_policy mode nearest_mode
ReverseSequence 2 2 1 1 batch_axis time_axis
RoiAlign 3 3 1 1 coordinate_transformation_mode mode output_height output_width sampling_ratio spatial_scale
RotaryEmbedding 3 4 1 1 interleaved num_heads rotary_embedding_dim
Round 1 1 1 1
STFT 2 4 1 1 onesided
Scan 1 - 1 - body directions num_scan_inputs scan_input_axes scan_input_directions scan_output_axes scan_output_directions
Scatter 3 3 1 1 axis
ScatterElements 3 3 1 1 axis reduction
ScatterND 3 3 1 1 reduction
Selu 1 1 1 1 alpha consumed_inputs gamma
SequenceAt 2 2 1 1
SequenceConstruct 1 - 1 1
SequenceEmpty 0 0 1 1 dtype
SequenceErase 1 2 1 1
SequenceInsert 2 3 1 1
SequenceLength 1 1 1 1
SequenceMap 1 - 1 - body
Shape 1 1 1 1 end start
Shrink 1 1 1 1 bias lambd
Sigmoid 1 1 1 1 consumed_inputs
Sign 1 1 1 1
Sin 1 1 1 1
Sinh 1 1 1 1
Size 1 1 1 1
Slice 1 5 1 1 axes ends starts
Softmax 1 1 1 1 axis
SoftmaxCrossEntropyLoss 2 3 1 2 ignore_index reduction
Softplus 1 1 1 1
Softsign 1 1 1 1
SpaceToDepth 1 1 1 1 blocksize mode
Split 1 2 1 - axis num_outputs split
SplitToSequence 1 2 1 1 axis keepdims
Sqrt 1 1 1 1 consumed_inputs
Squeeze 1 2 1 1 axes
StringConcat 2 2 1 1
StringNormalizer 1 1 1 1 case_change_action is_case_sensitive locale stopwords
StringSplit 1 1 2 2 delimiter maxsplit
Sub 2 2 1 1 axis broadcast consumed_inputs
Sum 1 - 1 1 consumed_inputs
SwiGLU 2 2 1 1 alpha
Swish 1 1 1 1 alpha
Tan 1 1 1 1
Tanh 1 1 1 1 consumed_inputs
TensorScatter 2 3 1 1 axis mode
TfIdfVectorizer 1 1 1 1 max_gram_length max_skip_count min_gram_length mode ngram_counts ngram_indexes pool_int64s pool_strings weights
ThresholdedRelu 1 1 1 1 alpha
Tile 2 3 1 1
TopK 1 2 2 2 axis k largest sorted
Transpose 1 1 1 1 perm
Trilu 1 2 1 1 upper
Unique 1 1 1 4 axis sorted
Unsqueeze 1 2 1 1 axes
Upsample 1 2 1 1 height_scale mode scales width_scale
Where 3 3 1 1
Xor 2 2 1 1 axis broadcast
`,
  },
  'ai.onnx.ml': {
    version: 5,
    operators: `
ArrayFeatureExtractor 2 2 1 1
Binarizer 1 1 1 1 threshold
CastMap 1 1 1 1 cast_to map_form max_map
CategoryMapper 1 1 1 1 cats_int64s cats_strings default_int64 default_string
DictVectorizer 1 1 1 1 int64_vocabulary string_vocabulary
FeatureVectorizer 1 - 1 1 inputdimensions
Imputer 1 1 1 1 imputed_value_floats imputed_value_int64s replaced_value_float replaced_value_int64
LabelEncoder 1 1 1 1 classes_strings default_float default_int64 default_string default_tensor keys_floats keys_int64s keys_strings keys_tensor values_floats values_int64s values_strings values_tensor
LinearClassifier 1 1 2 2 classlabels_ints classlabels_strings coefficients intercepts multi_class post_transform
LinearRegressor 1 1 1 1 coefficients intercepts post_transform targets
Normalizer 1 1 1 1 norm
OneHotEncoder 1 1 1 1 cats_int64s cats_strings zeros
SVMClassifier 1 1 2 2 classlabels_ints classlabels_strings coefficients kernel_params kernel_type post_transform prob_a prob_b rho support_vectors vectors_per_class
SVMRegressor 1 1 1 1 coefficients kernel_params kernel_type n_supports one_class post_transform rho support_vectors
Scaler 1 1 1 1 offset scale
TreeEnsemble 1 1 1 1 aggregate_function leaf_targetids leaf_weights membership_values n_targets nodes_falseleafs nodes_falsenodeids nodes_featureids nodes_hitrates nodes_missing_value_tracks_true nodes_modes nodes_splits nodes_trueleafs nodes_truenodeids post_transform tree_roots
TreeEnsembleClassifier 1 1 2 2 base_values base_values_as_tensor class_ids class_nodeids class_treeids class_weights class_weights_as_tensor classlabels_int64s classlabels_strings nodes_falsenodeids nodes_featureids nodes_hitrates nodes_hitrates_as_tensor nodes_missing_value_tracks_true nodes_modes nodes_nodeids nodes_treeids nodes_truenodeids nodes_values nodes_values_as_tensor post_transform
TreeEnsembleRegressor 1 1 1 1 aggregate_function base_values base_values_as_tensor n_targets nodes_falsenodeids nodes_featureids nodes_hitrates nodes_hitrates_as_tensor nodes_missing_value_tracks_true nodes_modes nodes_nodeids nodes_treeids nodes_truenodeids nodes_values nodes_values_as_tensor post_transform target_ids target_nodeids target_treeids target_weights target_weights_as_tensor
ZipMap 1 1 1 1 classlabels_int64s classlabels_strings
`,
  },
  'ai.onnx.preview': {
    version: 1,
    operators: `
FlexAttention 3 3 1 1 prob_mod scale score_mod softmax_precision
`,
  },
  'ai.onnx.preview.training': {
    version: 1,
    operators: `
Adagrad 3 - 1 - decay_factor epsilon norm_coefficient
Adam 3 - 1 - alpha beta epsilon norm_coefficient norm_coefficient_post
Gradient 1 - 1 - xs y zs
Momentum 3 - 1 - alpha beta mode norm_coefficient
`,
  },
};
