import { appendFileSync, cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFolder } from '../../storage/disk.fixture.ts';
import { proveFolder, setSpecimen } from './sets.fixture.ts';

/** What is said of the specimen once this has been done to it. */
const after = (breaks: (model: string, data: string) => void) =>
  withFolder(async (folder) => {
    cpSync(setSpecimen('onnx-1.23.2--external'), folder, { recursive: true });
    breaks(join(folder, 'model.onnx'), join(folder, 'model.onnx.data'));
    const found = await proveFolder(folder);
    return found.map(({ state, says }) => `${state}: ${says}`);
  });

/** Another text of the same length in the model. */
const replaced = (before: string, instead: string) =>
  after((model) => {
    const bytes = readFileSync(model, 'latin1');
    expect(bytes).toContain(before);
    writeFileSync(model, bytes.replace(before, instead), 'latin1');
  });

it('a model with its tensors beside it, as the library wrote it, is whole', async () => {
  expect(await after(() => undefined)).toEqual(['whole: 2 tensors in 1 file beside it']);
});

it('a file of tensors that is missing or cut off is found out', async () => {
  expect(await after((_model, data) => rmSync(data))).toEqual([
    'damaged: its tensors lie in "model.onnx.data", which is not here',
  ]);
  expect(await after((_model, data) => truncateSync(data, 155))).toEqual([
    'damaged: the tensor "bias" ends behind the end of "model.onnx.data"',
  ]);
});

it('a place that is not there, or not as long as its shape says, is found out', async () => {
  expect(await replaced('offset\x12\x03128', 'offset\x12\x03999')).toEqual([
    'damaged: the tensor "bias" ends behind the end of "model.onnx.data"',
  ]);
  expect(await replaced('length\x12\x0228', 'length\x12\x0224')).toEqual([
    'damaged: the tensor "bias" has 24 bytes in "model.onnx.data", which its shape does not fill',
  ]);
});

it('nothing outside of its folder is opened, whatever it names', async () => {
  for (const name of ['../../../etc/xy', '/etc//././hosts', 'model.onnx     ', './././././././x']) {
    expect(name).toHaveLength('model.onnx.data'.length);
    expect(await replaced('model.onnx.data', name)).toEqual([
      expect.stringMatching(/^damaged: its tensors lie in ".*", which is not here$/),
    ]);
  }
});

it('a model that has all of its tensors within is no set', async () => {
  await withFolder(async (folder) => {
    const specimen = new URL('../specimens/onnx/onnx-1.23.2--matmul.onnx', import.meta.url);
    cpSync(specimen, join(folder, 'model.onnx'));
    appendFileSync(join(folder, 'other.bin'), 'x');
    expect(await proveFolder(folder)).toEqual([]);
  });
});
