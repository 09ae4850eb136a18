import { describe, expect, it } from 'vitest';
import type { BoxFile } from './box-file.ts';
import { isWithin, nameOf, parentOf, stepsOf, typedPath } from './box-path.ts';
import { keyed, ordered, sortFiles, withMore, type FileOrder } from './sort-files.ts';

const file = (name: string, more: Partial<BoxFile> = {}): BoxFile => ({
  name,
  kind: 'file',
  sizeBytes: 1,
  modifiedAtMs: 1,
  mode: 0o644,
  hasUsableName: true,
  ...more,
});

function sorted(files: readonly BoxFile[], order: Partial<FileOrder> = {}): string[] {
  const whole = { column: 'name', isDescending: false, ...order } as const;
  return sortFiles(keyed(files), whole).map(({ file: { name } }) => name);
}

describe('the order of files', () => {
  it('counts numbers in names, takes no notice of capitals and has folders first', () => {
    const files = ['step-10', 'Step-9', 'a', 'step-9'].map((name) => file(name));
    expect(sorted([...files, file('z', { kind: 'folder' })])).toEqual([
      ...['z', 'a', 'Step-9', 'step-9', 'step-10'],
    ]);
    expect(sorted(files, { isDescending: true })).toEqual(['step-10', 'step-9', 'Step-9', 'a']);
  });

  it('is the same where they come part by part, whatever they are called', () => {
    const starts = ['', '!', '"', '#', '.', ' ', '0', '9', 'Ä', 'z', '\u{1f600}'];
    const files = Array.from({ length: 3000 }, (_, at) =>
      file(`${starts[(at * 7) % 11] ?? ''}${String((at * 7919) % 3001)}`, {
        kind: at % 5 === 0 ? 'folder' : 'file',
      }),
    );
    let known = withMore([], files.slice(0, 400));
    for (let from = 400; from < files.length; from += 700)
      known = withMore(known, files.slice(from, from + 700));
    const byName = { column: 'name', isDescending: false } as const;
    expect(known).toEqual(sortFiles(keyed(files), byName));
    expect(known.findIndex(({ file: { kind } }) => kind !== 'folder')).toBe(600);
    expect(ordered(known, byName)).toBe(known);
    const bySize = { column: 'size', isDescending: true } as const;
    expect(ordered(known, bySize)).toEqual(sortFiles(keyed(files), bySize));
  });

  it('knows what is hidden: by its own name, or by a folder on the way to it', () => {
    const names = ['.env', 'runs/.cache/a', 'a.txt', 'runs/a.b'];
    expect(keyed(names.map((name) => file(name))).map(({ isHidden }) => isHidden)).toEqual([
      ...[true, true, false, false],
    ]);
  });

  it('puts what is not known last in both directions, and equals by name', () => {
    const files = [
      file('none', { sizeBytes: null }),
      file('b', { sizeBytes: 5 }),
      file('a', { sizeBytes: 5 }),
      file('small', { sizeBytes: 0 }),
    ];
    expect(sorted(files, { column: 'size' })).toEqual(['small', 'a', 'b', 'none']);
    expect(sorted(files, { column: 'size', isDescending: true })).toEqual([
      ...['a', 'b', 'small', 'none'],
    ]);
  });

  it('of a number longer than any counter does not grow with it', () => {
    const long = '9'.repeat(255);
    expect(sorted([file(long), file('a')])).toEqual([long, 'a']);
  });
});

describe('paths on a box', () => {
  it('have their way up, and the root has none', () => {
    expect(parentOf('/home/u/runs/')).toBe('/home/u');
    expect(parentOf('/home')).toBe('/');
    expect(parentOf('/')).toBeNull();
    expect(parentOf('//')).toBeNull();
    expect(nameOf('/home/u')).toBe('u');
    expect(stepsOf('/home/u')).toEqual([
      { name: '/', path: '/' },
      { name: 'home', path: '/home' },
      { name: 'u', path: '/home/u' },
    ]);
  });

  it('are taken as a person types them', () => {
    const at = (typed: string): string => typedPath(typed, '/data/runs', '/home/u');
    expect(at('~')).toBe('/home/u');
    expect(at(' ~/out ')).toBe('/home/u/out');
    expect(at('seed0/../seed1/.')).toBe('/data/runs/seed1');
    expect(at('/etc//ssh/')).toBe('/etc/ssh');
    expect(at('../../../..')).toBe('/');
  });

  it('lie within a folder only where a whole step says so', () => {
    expect(isWithin('/data/runs/a', '/data/runs')).toBe(true);
    expect(isWithin('/data/runs', '/data/runs')).toBe(true);
    expect(isWithin('/data/runs-2', '/data/runs')).toBe(false);
    expect(isWithin('/data', '/')).toBe(true);
  });
});
