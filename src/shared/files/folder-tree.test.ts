import { describe, expect, it } from 'vitest';
import { treeRows, treeStep, type FolderTree } from './folder-tree.ts';

const told = (...names: string[]) => ({ kind: 'told', names, isCut: false }) as const;

const tree: FolderTree = {
  known: {
    '/': told('step-10', 'step-9', '.cache', 'home'),
    '/home': told('.ssh', 'ana'),
    '/home/ana': told(),
    '/step-9': { kind: 'refused', because: 'No permission.' },
    '/step-10': { kind: 'told', names: ['a'], isCut: true },
  },
  open: new Set(['/', '/home', '/home/ana', '/step-10']),
};

const shownIn = (shown: string | null, showsHidden = false) =>
  treeRows(tree, { shown, showsHidden });

describe('a tree of folders', () => {
  it('has what is open in order, and hides names that begin with a dot', () => {
    expect(shownIn(null).map(({ path, level }) => `${String(level)} ${path}`)).toEqual([
      ...['1 /', '2 /home', '3 /home/ana', '2 /step-9', '2 /step-10', '3 /step-10/a'],
    ]);
    expect(shownIn(null, true).map(({ path }) => path)).toContain('/.cache');
  });

  it('never hides the way to the folder that is shown', () => {
    const paths = shownIn('/home/.ssh/keys').map(({ path }) => path);
    expect(paths).toContain('/home/.ssh');
    expect(paths).not.toContain('/.cache');
  });

  it('counts a folder among those that are shown beside it', () => {
    const { at, of } = shownIn(null).find(({ path }) => path === '/step-9') ?? { at: 0, of: 0 };
    expect([at, of]).toEqual([2, 3]);
  });

  it('says that a folder cannot be opened only where it was looked into', () => {
    const opens = Object.fromEntries(shownIn(null).map(({ path, ...row }) => [path, row]));
    expect(opens['/home/ana']).toMatchObject({ canOpen: false, isOpen: false, note: null });
    expect(opens['/step-9']).toMatchObject({ canOpen: true, note: 'No permission.' });
    expect(opens['/step-10']?.note).toMatch(/^Too many folders/);
    expect(opens['/step-10/a']).toMatchObject({ canOpen: true, isOpen: false });
  });

  it.each([
    ['ArrowDown', 0, { kind: 'go', to: 1 }],
    ['ArrowDown', 5, { kind: 'go', to: 5 }],
    ['ArrowUp', 0, { kind: 'go', to: 0 }],
    ['End', 0, { kind: 'go', to: 5 }],
    ['Home', 4, { kind: 'go', to: 0 }],
    ['ArrowRight', 1, { kind: 'go', to: 2 }], // open: to the first in it
    ['ArrowRight', 2, null], // nothing is in it
    ['ArrowRight', 5, { kind: 'open' }],
    ['ArrowLeft', 1, { kind: 'close' }],
    ['ArrowLeft', 2, { kind: 'go', to: 1 }], // to the folder that it is in
    ['ArrowLeft', 5, { kind: 'go', to: 4 }],
    ['Enter', 2, { kind: 'show' }],
    ['x', 2, null],
  ])('%s on row %i', (key, at, step) => {
    expect(treeStep(shownIn(null), at, key)).toEqual(step);
  });
});
