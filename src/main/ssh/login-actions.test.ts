import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import { withFolder } from '../storage/disk.fixture.ts';
import { openLoginActions, type LoginActionsOptions } from './login-actions.ts';

afterEach(() => vi.unstubAllEnvs());

it('the window names one of the public keys that it was shown, and no other file', () =>
  withFolder(async (home) => {
    vi.stubEnv('HOME', home);
    mkdirSync(join(home, '.ssh'));
    const elsewhere = join(home, 'other.pub');
    writeFileSync(elsewhere, 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ of somebody\n');
    const box = { id: 'a', name: 'box' } as Box;
    const installed: string[] = [];
    const actions = openLoginActions({
      roster: { boxOf: () => box, linkOf: () => ({}) },
      persons: {
        forBox: () => {
          installed.push('begun');
          return {};
        },
      },
      offers: { installed: (_id: string, file: string) => installed.push(file) },
      env: process.env,
    } as unknown as LoginActionsOptions);
    expect(await actions.installKey('a', elsewhere)).toMatchObject({
      ok: false,
      error: { code: 'bad-input' },
    });
    expect(installed).toEqual([]);
  }));
