import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFolder } from './disk.fixture.ts';
import { awayTarget, targetOf } from './own-text.ts';

it('a link is followed to its end', () =>
  withFolder((folder) => {
    symlinkSync('b', join(folder, 'a'));
    symlinkSync(join('gone', 'c'), join(folder, 'b'));
    expect(targetOf(join(folder, 'a'))).toBe(join(folder, 'gone', 'c'));
    expect(awayTarget(join(folder, 'a'))).toBe(join(folder, 'gone', 'c'));
    expect(targetOf(folder)).toBeNull();
  }));

it('a link that goes round in a circle leads nowhere', () =>
  withFolder((folder) => {
    symlinkSync('b', join(folder, 'a'));
    symlinkSync('a', join(folder, 'b'));
    expect(targetOf(join(folder, 'a'))).toBeNull();
    expect(awayTarget(join(folder, 'a'))).toBeNull();
  }));
