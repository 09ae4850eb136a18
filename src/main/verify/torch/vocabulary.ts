import { Damaged } from '../damage.ts';
import type { NumberType } from '../number-scan.ts';
import {
  isGroup,
  isKind,
  keyOf,
  sizesOf,
  type ElementType,
  type Rule,
  type Tensor,
  type Value,
  type Vocabulary,
} from '../pickle/values.ts';
import { PYTHON_RULES } from '../pickle/vocabulary.ts';
import { quoted } from '../quoted.ts';
import { bytesOf } from './storages.ts';

type Numbers = readonly [bytes: number, scan: NumberType | null, perByte?: number];

const TYPES: Readonly<Record<string, Numbers>> = {
  ...{ float32: [4, 'f32'], float64: [8, 'f64'], float16: [2, 'f16'], bfloat16: [2, 'bf16'] },
  ...{ complex64: [8, 'f32'], complex128: [16, 'f64'], complex32: [4, 'f16'] },
  ...{ int64: [8, null], int32: [4, null], int16: [2, null], int8: [1, null], bool: [1, null] },
  ...{ uint8: [1, null], uint16: [2, null], uint32: [4, null], uint64: [8, null] },
  ...{ float8_e4m3fn: [1, 'f8_e4m3'], float8_e5m2: [1, 'f8_e5m2'] },
  ...{ float8_e4m3fnuz: [1, null], float8_e5m2fnuz: [1, null], float8_e8m0fnu: [1, null] },
  ...{ float4_e2m1fn_x2: [1, null], qint8: [1, null], quint8: [1, null], qint32: [4, null] },
  ...{ quint4x2: [1, null, 2], quint2x4: [1, null, 4], bcomplex32: [4, 'bf16'] },
  ...{ bits1x8: [1, null], bits2x4: [1, null], bits4x2: [1, null], bits8: [1, null] },
  ...{ bits16: [2, null] },
};

const STORAGES: Readonly<Record<string, keyof typeof TYPES>> = {
  ...{ Float: 'float32', Double: 'float64', Half: 'float16', BFloat16: 'bfloat16' },
  ...{ ComplexFloat: 'complex64', ComplexDouble: 'complex128', Long: 'int64', Int: 'int32' },
  ...{ Short: 'int16', Char: 'int8', Byte: 'uint8', Bool: 'bool', QInt8: 'qint8' },
  ...{ QUInt8: 'quint8', QInt32: 'qint32', QUInt4x2: 'quint4x2', QUInt2x4: 'quint2x4' },
};

function typeRule(name: string): Rule {
  const [bytes, scan, perByte = 1] = TYPES[name] ?? [1, null];
  return { type: { kind: 'type', bytes, scan, perByte, isObject: false } };
}

/** Storage, first element, shape, strides: all inside of the storage. */
function rebuild(args: readonly Value[], type?: ElementType): Value {
  const [storage, offset, shape, strides] = args;
  if (!isKind(storage, 'storage')) {
    if (isKind(storage, 'made')) return { kind: 'made', parts: [...args] };
    throw new Damaged('it describes a tensor without a storage');
  }
  const [sizes, steps] = [sizesOf(shape), sizesOf(strides)];
  const isWhole = sizes !== null && steps !== null && sizes.length === steps.length;
  if (!isWhole || typeof offset !== 'number' || offset < 0) {
    throw new Damaged('it describes a tensor that is none');
  }
  const elements = sizes.reduce((product, size) => product * size, 1);
  const last = sizes.reduce((sum, size, index) => sum + (size - 1) * (steps[index] ?? 0), offset);
  const elementBytes = type?.bytes ?? storage.elementBytes;
  const perByte = type?.perByte ?? storage.perByte ?? 1;
  const end = elements === 0 ? 0 : packedBytes((last + 1) * elementBytes, sizes, perByte);
  // What is beyond the exact numbers is beyond every storage.
  if (!(end <= bytesOf(storage))) {
    throw new Damaged(`a tensor reaches beyond its storage ${quoted(storage.key)}`);
  }
  if (type !== undefined) storage.scan ??= type.scan;
  return { kind: 'tensor', storage, elements, elementBytes } satisfies Tensor;
}

/** Several of a row share a byte, and no two rows do. What is packed so is never in parts. */
function packedBytes(bytes: number, sizes: readonly number[], perByte: number): number {
  if (perByte === 1) return bytes;
  const columns = sizes.at(-1) ?? 1;
  return (bytes / columns) * Math.ceil(columns / perByte);
}

/** As the one before, and with what its bytes are. */
function rebuildTyped(args: readonly Value[]): Value {
  const type = args[6];
  // Of a name that is not known it was noted that it is refused.
  if (isKind(type, 'global') && type.rule === null) return { kind: 'made', parts: [...args] };
  if (!isKind(type, 'global') || type.rule?.type === undefined) {
    throw new Damaged('it describes a tensor of no known type');
  }
  return rebuild(args, type.rule.type);
}

/** What is wrapped in it is a tensor already. */
const first: Rule = { call: ([value = null]) => value };
const made: Rule = { call: (args) => ({ kind: 'made', parts: [...args] }) };

/** By a function, a class and what to call it with. */
function rebuildFromType([what, , args, state = null]: readonly Value[]): Value {
  if (!isKind(what, 'global') || !isGroup(args)) {
    throw new Damaged('it describes a tensor that is none');
  }
  const tensor = what.rule?.call?.(args.items) ?? args;
  return state === null ? tensor : { kind: 'made', parts: [tensor, state] };
}

const tensors: Rule = { call: (args) => rebuild(args) };

const RULES: Readonly<Record<string, Rule>> = {
  [keyOf('torch._utils', '_rebuild_tensor')]: tensors,
  [keyOf('torch._utils', '_rebuild_tensor_v2')]: tensors,
  [keyOf('torch._utils', '_rebuild_qtensor')]: tensors,
  [keyOf('torch._utils', '_rebuild_tensor_v3')]: { call: rebuildTyped },
  [keyOf('torch._utils', '_rebuild_parameter')]: first,
  [keyOf('torch._utils', '_rebuild_parameter_with_state')]: made,
  [keyOf('torch._utils', '_rebuild_sparse_tensor')]: made,
  [keyOf('torch._utils', '_rebuild_sparse_csr_tensor')]: made,
  [keyOf('torch._utils', '_rebuild_meta_tensor_no_storage')]: made,
  [keyOf('torch._utils', '_rebuild_device_tensor_from_numpy')]: made,
  [keyOf('torch._utils', '_rebuild_nested_tensor')]: made,
  [keyOf('torch._tensor', '_rebuild_from_type_v2')]: { call: rebuildFromType },
  [keyOf('torch.serialization', '_get_layout')]: made,
  [keyOf('torch.nn.parameter', 'Parameter')]: {},
  [keyOf('torch.nn.parameter', 'Buffer')]: {},
  [keyOf('torch', 'Tensor')]: {},
  [keyOf('torch', 'device')]: made,
  [keyOf('torch', 'Size')]: first,
  [keyOf('torch', 'per_tensor_affine')]: {},
  [keyOf('torch', 'per_channel_affine')]: {},
  [keyOf('torch.storage', 'UntypedStorage')]: typeRule(''),
};

/** Dicts with attributes, as Lightning keeps its settings. */
const SETTINGS = [
  'lightning.fabric.utilities.data',
  'lightning_fabric.utilities.data',
  'pytorch_lightning.utilities.parsing',
].map((module): [string, Rule] => [
  keyOf(module, 'AttributeDict'),
  { call: ([dict]) => (isGroup(dict) ? dict : { kind: 'dict', items: [] }) },
]);

export const TORCH_VOCABULARY: Vocabulary = new Map([
  ...PYTHON_RULES,
  ...Object.entries(RULES),
  ...SETTINGS,
  ...Object.keys(TYPES).map((name): [string, Rule] => [keyOf('torch', name), typeRule(name)]),
  ...Object.entries(STORAGES).map(([name, type]): [string, Rule] => [
    keyOf('torch', `${name}Storage`),
    typeRule(type),
  ]),
]);
