import { cpSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFolder } from '../../storage/disk.fixture.ts';
import { proveFolder, setSpecimen } from './sets.fixture.ts';

const part = (no: number): string => `model-0000${String(no)}-of-00003.gguf`;

/** What is said of the specimen once this has been done to it. */
const after = (breaks: (pathOf: (no: number) => string) => void) =>
  withFolder(async (folder) => {
    cpSync(setSpecimen('gguf-0.19.0--split'), folder, { recursive: true });
    breaks((no) => join(folder, part(no)));
    const found = await proveFolder(folder);
    return found.map(({ state, says }) => `${state}: ${says}`);
  });

it('a model in parts, as the library wrote it, is whole', async () => {
  expect(await after(() => undefined)).toEqual(['whole: 3 parts, 5 tensors']);
});

it('a part that is missing, cut off or another is found out', async () => {
  expect(await after((pathOf) => rmSync(pathOf(3)))).toEqual([
    `damaged: of its 3 parts, "${part(3)}" is not here`,
  ]);
  expect(await after((pathOf) => truncateSync(pathOf(2), 100))).toEqual([
    expect.stringMatching(/^damaged: /),
  ]);
  expect(
    await after((pathOf) => {
      rmSync(pathOf(2));
      renameSync(pathOf(3), pathOf(2));
      cpSync(pathOf(1), pathOf(3));
    }),
  ).toEqual([`damaged: "${part(2)}" says of itself that it is another part`]);
});

it('another number of tensors than the first part says is found out', async () => {
  const found = await after((pathOf) => {
    const bytes = readFileSync(pathOf(1));
    bytes.writeInt32LE(6, bytes.indexOf('split.tensors.count') + 'split.tensors.count'.length + 4);
    writeFileSync(pathOf(1), bytes);
  });
  expect(found).toEqual(['damaged: its first part says 6 tensors, and its parts have 5']);
});
