import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import type { TestSshd } from '../ssh/sshd.fixture.ts';
import { openDatabase } from '../storage/database.ts';

/** A box in the list of the data folder, as the window would have added it: its host key is trusted unless `isTrusted` is false. */
export function addBox(
  folder: string,
  sshd: TestSshd,
  {
    isTrusted = true,
    name = 'train-a',
  }: { readonly isTrusted?: boolean; readonly name?: string } = {},
): Box {
  const known = join(folder, `known_hosts ${name}`);
  writeFileSync(
    known,
    sshd.hostKeys.map((key) => `[127.0.0.1]:${String(sshd.port)} ${key}\n`).join(''),
  );
  const { database } = openDatabase({ folder });
  const box: Box = {
    ...USUAL_WAY,
    id: randomUUID(),
    name,
    platform: 'generic-ssh',
    address: { host: '127.0.0.1', port: sshd.port, user: sshd.user },
    login: { ...USUAL_WAY.login, identityFiles: [sshd.keyFile], isOnlyIdentities: true },
    options: { ...USUAL_WAY.options, knownHostsFiles: isTrusted ? [known] : [] },
    tags: [],
    addedAtMs: 0,
  };
  expect(database.boxes.add(box).ok).toBe(true);
  database.close();
  return box;
}
