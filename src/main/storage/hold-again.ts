import { statSync } from 'node:fs';
import { openConnection, type Connection } from './connection.ts';
import { lock, makeOwnerOnly, type Holding } from './hold-file.ts';

interface Kept {
  readonly connection: Connection;
  readonly ino: bigint;
  holders: number;
  isAlone: boolean;
}

const kept = new Map<string, Kept>();

/** As `holdFile`, for what is taken again and again: over one connection of this process, since libsql gives none back before a garbage collection. */
export function holdAgain(file: string, holding: Holding): (() => void) | null {
  makeOwnerOnly(file);
  const { ino } = statSync(file, { bigint: true });
  let held = kept.get(file);
  if (held?.ino !== ino) {
    if (held?.holders === 0) held.connection.close();
    held = { connection: openConnection(file, 0), ino, holders: 0, isAlone: false };
    kept.set(file, held);
  }
  const one = held;
  if (one.holders > 0 ? one.isAlone || holding === 'alone' : !lock(one.connection, holding)) {
    return null;
  }
  one.holders += 1;
  one.isAlone = holding === 'alone';
  return () => {
    one.holders -= 1;
    if (one.holders > 0) return;
    one.isAlone = false;
    one.connection.exec('ROLLBACK');
  };
}
