import { compareProfiles, comparisonMarkdown } from '../../shared/profiles/comparison.ts';
import type { Command } from './command.ts';
import { profilesFor, tellFaults } from './profiles-common.ts';

export const profilesTable: Command = {
  name: 'profiles table',
  summary: 'compares the platforms: what ends billing, what survives, which timers run',
  operands: [],
  flags: {},
  details: [
    'Prints Markdown. Your own profiles count; a file that cannot be used is named on stderr.',
    'Exit code 1: a file cannot be used.',
  ],
  async run({ isJson }, context) {
    const profiles = await profilesFor(context);
    await tellFaults(profiles, context);
    const rows = compareProfiles(profiles.all.map(({ profile }) => profile));
    if (isJson) await context.out.json(rows);
    else await context.out.lines(comparisonMarkdown(rows));
    return profiles.faults.length === 0 && rows.length > 0 ? 0 : 1;
  },
};
