import { createHash } from 'node:crypto';
import { rosterText, type SweepRoster } from '../../../shared/runs/sweep/sweep-roster.ts';

export const digestOf = (roster: SweepRoster): string =>
  createHash('sha256').update(rosterText(roster)).digest('hex');
