import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFolder } from '../../storage/disk.fixture.ts';
import { proveFolder, setSpecimen } from './sets.fixture.ts';

/** What is said of the model itself, once this has been done to it. */
const after = (breaks: (folder: string) => void) =>
  withFolder(async (folder) => {
    cpSync(setSpecimen('tensorflow-2.21.0--saved-model'), folder, { recursive: true });
    breaks(folder);
    const found = await proveFolder(folder);
    const model = found.find(({ kind }) => kind === 'saved-model');
    return `${model?.state ?? 'nothing'}: ${model?.says ?? ''}`;
  });

it('a model, as the library wrote it, is whole, and so are its variables', async () => {
  const found = await proveFolder(setSpecimen('tensorflow-2.21.0--saved-model'));
  expect(found.map(({ kind, path, state, says }) => [kind, path, state, says])).toEqual([
    ['saved-model', 'saved_model.pb', 'whole', '1 graph, 1 asset'],
    [
      'tensorflow-checkpoint',
      'variables/variables.index',
      'whole',
      '1 part, 7 tensors, each with its checksum',
    ],
  ]);
});

it('what is missing of it is found out', async () => {
  expect(await after((folder) => rmSync(join(folder, 'variables'), { recursive: true }))).toBe(
    'damaged: its variables are not here',
  );
  expect(await after((folder) => rmSync(join(folder, 'assets', 'vocabulary.txt')))).toBe(
    'damaged: its asset "vocabulary.txt" is not here',
  );
  for (let bytes = 0; bytes < 20_000; bytes += 997) {
    expect(await after((folder) => truncateSync(join(folder, 'saved_model.pb'), bytes))).toMatch(
      /^damaged: /,
    );
  }
});

it('nothing outside of its folder is looked for', async () => {
  const found = await after((folder) => {
    const model = join(folder, 'saved_model.pb');
    const bytes = readFileSync(model, 'latin1');
    writeFileSync(model, bytes.replaceAll('vocabulary.txt', '../../../../xy'), 'latin1');
  });
  expect(found).toBe('damaged: its asset "../../../../xy" is not here');
});
