import { join } from 'node:path';
import { loadProfiles } from '../profiles/load-profiles.ts';
import { verbsPage } from '../profiles/verbs-page.ts';
import { replaceFile } from '../storage/atomic-file.ts';
import type { Command } from './command.ts';
import { profilesFor, tellFaults } from './profiles-common.ts';

/** From the app's folder. */
const VERBS_PAGE = join('docs', 'verbs.md');

export const profilesVerbs: Command = {
  name: 'profiles verbs',
  summary: 'shows what each verb that ends a box does to data and money, platform by platform',
  operands: [],
  flags: { write: { value: null, help: 'writes docs/verbs.md of a clone instead' } },
  details: [
    'Prints Markdown. Your own profiles count, but not in docs/verbs.md.',
    'Exit code 1: a file cannot be used.',
  ],
  async run({ flags, isJson }, context) {
    const { root } = context;
    const isToWrite = flags.has('write');
    const profiles = isToWrite
      ? await loadProfiles({ shipped: join(root, 'profiles'), own: join(root, 'no-own') })
      : await profilesFor(context);
    await tellFaults(profiles, context);
    const all = profiles.all.map(({ profile }) => profile);
    const page = verbsPage(all);
    if (isToWrite) await replaceFile(join(root, VERBS_PAGE), page);
    else if (isJson) await context.out.json(all.map(({ id, actions }) => ({ id, actions })));
    else await context.out.lines(page.trimEnd().split('\n'));
    return profiles.faults.length === 0 && all.length > 0 ? 0 : 1;
  },
};
