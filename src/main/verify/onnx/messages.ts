/** How a field lies in a file: a number, four or eight bytes, bytes with a length, or a message by its name. */
export type FieldKind = 'varint' | 'fixed32' | 'fixed64' | 'bytes' | MessageName;

export type MessageName = (typeof NAMES)[number];

const NAMES = [
  'Model',
  'OperatorSet',
  'Entry',
  'Training',
  'Function',
  'DeviceConfiguration',
  'Graph',
  'Node',
  'Attribute',
  'Tensor',
  'Segment',
  'SparseTensor',
  'Type',
  'TensorType',
  'ElementType',
  'MapType',
  'Opaque',
  'Shape',
  'Dimension',
  'NodeDevice',
  'Sharding',
  'IndexToDevices',
  'ShardedDimension',
  'SimpleShardedDimension',
  'ValueInfo',
  'Annotation',
] as const;

/** The messages of a model by the numbers of their fields, as onnx 1.23 has them in its `onnx.proto`. */
export const MESSAGES: Readonly<Record<MessageName, Readonly<Record<number, FieldKind>>>> = {
  Model: {
    ...{ 1: 'varint', 2: 'bytes', 3: 'bytes', 4: 'bytes', 5: 'varint', 6: 'bytes', 7: 'Graph' },
    ...{ 8: 'OperatorSet', 14: 'Entry', 20: 'Training', 25: 'Function', 26: 'DeviceConfiguration' },
  },
  OperatorSet: { 1: 'bytes', 2: 'varint' },
  Entry: { 1: 'bytes', 2: 'bytes' },
  Training: { 1: 'Graph', 2: 'Graph', 3: 'Entry', 4: 'Entry' },
  Function: {
    ...{ 1: 'bytes', 4: 'bytes', 5: 'bytes', 6: 'bytes', 7: 'Node', 8: 'bytes', 9: 'OperatorSet' },
    ...{ 10: 'bytes', 11: 'Attribute', 12: 'ValueInfo', 13: 'bytes', 14: 'Entry' },
  },
  DeviceConfiguration: { 1: 'bytes', 2: 'varint', 3: 'bytes' },
  Graph: {
    ...{ 1: 'Node', 2: 'bytes', 5: 'Tensor', 10: 'bytes', 11: 'ValueInfo', 12: 'ValueInfo' },
    ...{ 13: 'ValueInfo', 14: 'Annotation', 15: 'SparseTensor', 16: 'Entry' },
  },
  Node: {
    ...{ 1: 'bytes', 2: 'bytes', 3: 'bytes', 4: 'bytes', 5: 'Attribute', 6: 'bytes', 7: 'bytes' },
    ...{ 8: 'bytes', 9: 'Entry', 10: 'NodeDevice' },
  },
  Attribute: {
    ...{ 1: 'bytes', 2: 'fixed32', 3: 'varint', 4: 'bytes', 5: 'Tensor', 6: 'Graph', 7: 'fixed32' },
    ...{ 8: 'varint', 9: 'bytes', 10: 'Tensor', 11: 'Graph', 13: 'bytes', 14: 'Type', 15: 'Type' },
    ...{ 20: 'varint', 21: 'bytes', 22: 'SparseTensor', 23: 'SparseTensor' },
  },
  Tensor: {
    ...{ 1: 'varint', 2: 'varint', 3: 'Segment', 4: 'fixed32', 5: 'varint', 6: 'bytes' },
    ...{ 7: 'varint', 8: 'bytes', 9: 'bytes', 10: 'fixed64', 11: 'varint', 12: 'bytes' },
    ...{ 13: 'Entry', 14: 'varint', 16: 'Entry' },
  },
  Segment: { 1: 'varint', 2: 'varint' },
  SparseTensor: { 1: 'Tensor', 2: 'Tensor', 3: 'varint' },
  Type: {
    ...{ 1: 'TensorType', 4: 'ElementType', 5: 'MapType', 6: 'bytes', 7: 'Opaque' },
    ...{ 8: 'TensorType', 9: 'ElementType' },
  },
  TensorType: { 1: 'varint', 2: 'Shape' },
  ElementType: { 1: 'Type' },
  MapType: { 1: 'varint', 2: 'Type' },
  Opaque: { 1: 'bytes', 2: 'bytes' },
  Shape: { 1: 'Dimension' },
  Dimension: { 1: 'varint', 2: 'bytes', 3: 'bytes' },
  NodeDevice: { 1: 'bytes', 2: 'Sharding', 3: 'varint' },
  Sharding: { 1: 'bytes', 2: 'varint', 3: 'IndexToDevices', 4: 'ShardedDimension' },
  IndexToDevices: { 1: 'varint', 2: 'varint' },
  ShardedDimension: { 1: 'varint', 2: 'SimpleShardedDimension' },
  SimpleShardedDimension: { 1: 'varint', 2: 'bytes', 3: 'varint' },
  ValueInfo: { 1: 'bytes', 2: 'Type', 3: 'bytes', 4: 'Entry' },
  Annotation: { 1: 'bytes', 2: 'Entry' },
};
