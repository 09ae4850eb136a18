import { elementCount, toBytes, type Tensor } from './tensor.ts';
import { writeStoredZip } from './zip.ts';

/**
 * What `torch.save(state_dict)` writes: a stored zip with a pickle of an `OrderedDict` of tensors whose storages are files of
 * their own beside it. Layout and opcodes are those of torch 2; nothing in the pickle but tensors and their names.
 */
export function writeTorchCheckpoint(tensors: readonly Tensor[]): Buffer {
  return writeStoredZip([
    { name: 'archive/data.pkl', bytes: pickleStateDict(tensors) },
    { name: 'archive/byteorder', bytes: Buffer.from('little') },
    ...tensors.map((tensor, key) => ({ name: `archive/data/${key}`, bytes: toBytes(tensor) })),
    { name: 'archive/version', bytes: Buffer.from('3\n') },
  ]);
}

const EMPTY_TUPLE = Buffer.from(')');
const REDUCE = Buffer.from('R');
const MARK = Buffer.from('(');
const TUPLE = Buffer.from('t');

/** Pickle protocol 2: `OrderedDict([(name, _rebuild_tensor_v2(storage, 0, shape, strides, False, OrderedDict())), …])`. */
function pickleStateDict(tensors: readonly Tensor[]): Buffer {
  const orderedDict = Buffer.concat([global('collections', 'OrderedDict'), EMPTY_TUPLE, REDUCE]);
  const items = tensors.map((tensor, key) =>
    Buffer.concat([text(tensor.name), rebuildTensor(tensor, key, orderedDict)]),
  );
  return Buffer.concat([
    Buffer.from([0x80, 2]),
    orderedDict,
    MARK,
    ...items,
    Buffer.from('u.'), // SETITEMS, STOP
  ]);
}

function rebuildTensor(tensor: Tensor, key: number, emptyHooks: Buffer): Buffer {
  const storage = Buffer.concat([
    MARK,
    text('storage'),
    global('torch', 'FloatStorage'),
    text(String(key)),
    text('cpu'),
    integer(elementCount(tensor.shape)),
    TUPLE,
    Buffer.from('Q'), // BINPERSID: the loader finds the storage by this tuple
  ]);
  return Buffer.concat([
    global('torch._utils', '_rebuild_tensor_v2'),
    MARK,
    storage,
    integer(0),
    tuple(tensor.shape.map(integer)),
    tuple(rowMajorStrides(tensor.shape).map(integer)),
    Buffer.from([0x89]), // NEWFALSE: requires_grad
    emptyHooks,
    TUPLE,
    REDUCE,
  ]);
}

function rowMajorStrides(shape: readonly number[]): number[] {
  return shape.map((_, axis) => elementCount(shape.slice(axis + 1)));
}

function global(module: string, name: string): Buffer {
  return Buffer.from(`c${module}\n${name}\n`, 'latin1');
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  const head = Buffer.from([0x58, 0, 0, 0, 0]); // BINUNICODE
  head.writeUInt32LE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

function integer(value: number): Buffer {
  const bytes = Buffer.from([0x4a, 0, 0, 0, 0]); // BININT
  bytes.writeInt32LE(value, 1);
  return bytes;
}

function tuple(items: readonly Buffer[]): Buffer {
  return Buffer.concat([MARK, ...items, TUPLE]);
}
