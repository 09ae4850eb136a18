import { rosterText, type SweepRoster } from '../../../shared/runs/sweep/sweep-roster.ts';
import { sha256 } from '../../storage/sha256.ts';

export const digestOf = (roster: SweepRoster): string => sha256(rosterText(roster));
