import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { maskedCrc32c } from '../../../shared/verify/crc32c.ts';
import { crc32 } from './crc.ts';
import { writeSafetensors } from './safetensors.ts';
import { elementCount } from './tensor.ts';
import { writeFileVersion, writeScalars } from './tfevents.ts';
import { writeTorchCheckpoint } from './torch-checkpoint.ts';
import { toyWeights } from './toy-model.ts';
import { writeStoredZip } from './zip.ts';

const run = promisify(execFile);
const hasPython = spawnSync('python3', ['--version']).status === 0;

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function onDisk(name: string, bytes: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'leasehold-artefacts-'));
  folders.push(folder);
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

/** The entries of a stored zip, found through its central directory. */
function readZip(zip: Buffer): Map<string, { readonly at: number; readonly bytes: Buffer }> {
  const end = zip.length - 22;
  expect(zip.readUInt32LE(end)).toBe(0x06054b50);
  const entries = new Map<string, { readonly at: number; readonly bytes: Buffer }>();
  let cursor = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    expect(zip.readUInt32LE(cursor)).toBe(0x02014b50);
    const [crc, size] = [zip.readUInt32LE(cursor + 16), zip.readUInt32LE(cursor + 24)];
    const nameLength = zip.readUInt16LE(cursor + 28);
    const name = zip.toString('utf8', cursor + 46, cursor + 46 + nameLength);
    const local = zip.readUInt32LE(cursor + 42);
    expect(zip.readUInt32LE(local)).toBe(0x04034b50);
    const at = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(at, at + size);
    expect(crc32(bytes)).toBe(crc);
    entries.set(name, { at, bytes });
    cursor += 46 + nameLength;
  }
  expect(cursor).toBe(end);
  return entries;
}

it('has the checksum of a zip as it is published', () => {
  expect(crc32(Buffer.from('123456789'))).toBe(0xcbf43926);
});

describe('torch checkpoint', () => {
  const tensors = toyWeights(7, 40);

  it('is a zip whose CRCs hold and whose tensors begin at multiples of 64', () => {
    const entries = readZip(writeTorchCheckpoint(tensors));
    expect([...entries.keys()]).toEqual([
      'archive/data.pkl',
      'archive/byteorder',
      'archive/data/0',
      'archive/data/1',
      'archive/data/2',
      'archive/data/3',
      'archive/version',
    ]);
    for (const { at } of entries.values()) expect(at % 64).toBe(0);
    const first = entries.get('archive/data/0')?.bytes;
    expect(first?.length).toBe(4 * 64 * 784);
    expect(first?.readFloatLE(4)).toBe(tensors[0]?.values[1]);
  });

  it('is accepted by python’s zipfile, and its pickle names only tensors', async ({ skip }) => {
    skip(!hasPython, 'python3 is not installed');
    const path = await onDisk('model.pt', writeTorchCheckpoint(tensors));
    const { stdout } = await run('python3', ['-c', READ_CHECKPOINT, path]);
    const { bad, globals, state } = JSON.parse(stdout) as {
      bad: string | null;
      globals: string[];
      state: Record<string, [string, number, number[], number[]]>;
    };
    expect(bad).toBeNull();
    expect(globals).toEqual([
      'collections OrderedDict',
      'torch FloatStorage',
      'torch._utils _rebuild_tensor_v2',
    ]);
    expect(state).toEqual({
      'hidden.weight': ['0', 50_176, [64, 784], [784, 1]],
      'hidden.bias': ['1', 64, [64], [1]],
      'output.weight': ['2', 640, [10, 64], [64, 1]],
      'output.bias': ['3', 10, [10], [1]],
    });
  });
});

/** Loads the pickle with stand-ins for torch's functions, and lists every global that its opcodes ask for. */
const READ_CHECKPOINT = `
import io, json, pickle, pickletools, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
data = archive.read('archive/data.pkl')
names = sorted({arg for op, arg, _ in pickletools.genops(data) if op.name == 'GLOBAL'})
class Loader(pickle.Unpickler):
    def find_class(self, module, name):
        if name == 'OrderedDict': return super().find_class(module, name)
        if name == '_rebuild_tensor_v2': return lambda storage, offset, size, stride, grad, hooks: [*storage, size, stride]
        return name
    def persistent_load(self, pid):
        kind, storage, key, place, count = pid
        assert (kind, storage, place) == ('storage', 'FloatStorage', 'cpu')
        assert archive.getinfo('archive/data/' + key).file_size == 4 * count
        return [key, count]
print(json.dumps({'bad': archive.testzip(), 'globals': names, 'state': Loader(io.BytesIO(data)).load()}))
`;

describe('zip', () => {
  it('has the same bytes for the same entries', () => {
    const entries = [{ name: 'a', bytes: Buffer.from('one') }];
    expect(writeStoredZip(entries)).toEqual(writeStoredZip(entries));
  });
});

describe('safetensors', () => {
  it('has a header that covers the data exactly, without gaps', () => {
    const tensors = toyWeights(7, 40);
    const file = writeSafetensors(tensors, { epoch: '4', note: 'é' });
    const headerLength = Number(file.readBigUInt64LE(0));
    expect(headerLength % 8).toBe(0);
    const { __metadata__: metadata, ...entries } = JSON.parse(
      file.toString('utf8', 8, 8 + headerLength),
    ) as Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }>;
    expect(metadata).toEqual({ epoch: '4', note: 'é' });
    let expected = 0;
    for (const [name, { dtype, shape, data_offsets: range }] of Object.entries(entries)) {
      expect([name, dtype, range[0]]).toEqual([name, 'F32', expected]);
      expect(range[1] - range[0]).toBe(4 * elementCount(shape));
      expected = range[1];
    }
    expect(file.length).toBe(8 + headerLength + expected);
    expect(file.readFloatLE(8 + headerLength)).toBe(tensors[0]?.values[0]);
  });
});

describe('events file', () => {
  it('frames every record with length and masked CRCs, and holds the scalars', () => {
    const file = Buffer.concat([
      writeFileVersion(1_700_000_000.5),
      writeScalars([{ tag: 'train/loss', step: 300, value: 0.25, wallTimeS: 1_700_000_001.25 }]),
    ]);
    const records = readRecords(file);
    expect(records).toHaveLength(2);
    expect(records[0]?.toString('latin1')).toContain('brain.Event:2');
    const event = records[1] ?? Buffer.alloc(0);
    expect(event.readDoubleLE(1)).toBe(1_700_000_001.25);
    expect(event[9]).toBe(0x10);
    // 300 as varint, then summary (5) { value (1) { tag (1) … simple_value (2) … } }
    expect([event[10], event[11], event[12]]).toEqual([0xac, 0x02, 0x2a]);
    expect(event.toString('latin1')).toContain('train/loss');
    expect(event.readFloatLE(event.length - 4)).toBe(0.25);
    expect(event[event.length - 5]).toBe(0x15);
  });
});

function readRecords(file: Buffer): Buffer[] {
  const records: Buffer[] = [];
  for (let at = 0; at < file.length;) {
    const length = Number(file.readBigUInt64LE(at));
    expect(file.readUInt32LE(at + 8)).toBe(maskedCrc32c(file.subarray(at, at + 8)));
    const data = file.subarray(at + 12, at + 12 + length);
    expect(file.readUInt32LE(at + 12 + length)).toBe(maskedCrc32c(data));
    records.push(data);
    at += 16 + length;
  }
  return records;
}
