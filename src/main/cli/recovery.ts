import { join } from 'node:path';
import { isArchived } from '../../shared/boxes/archived.ts';
import type { Box } from '../../shared/boxes/box.ts';
import { NOTHING_KNOWN, NOTHING_TOLD } from '../../shared/clocks/clock.ts';
import { clockEntries, keptWalltimes } from '../../shared/clocks/clock-entries.ts';
import { selectClocks } from '../../shared/clocks/select-clocks.ts';
import { NO_WALLTIMES } from '../../shared/clocks/walltimes.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import { toMarkdown, type Block } from '../../shared/recovery/page.ts';
import { writeHandbook, type RecoveryKnowledge } from '../../shared/recovery/write-handbook.ts';
import { loadGotchas, OWN_GOTCHAS } from '../gotchas/load-gotchas.ts';
import { redactText } from '../../shared/secrets/redact-text.ts';
import { gatherKnowledge } from '../recovery/gather-knowledge.ts';
import { dataFolder } from '../storage/data-folder.ts';
import { openReadOnly, type ReadOnlyDatabase } from '../storage/read-only.ts';
import type { Command, CommandContext } from './command.ts';
import { printable } from './printable.ts';
import { maxAgeFor, profilesFor } from './profiles-common.ts';

/** What only the window computes: it follows the meter. */
const CLOCKS_LACK =
  'Written without the window: balances, idleness, whether the box is stopped and whether an end of it is under way are not known here, so a clock that hangs on one of them is told as not known.';

export const recovery: Command = {
  name: 'recovery',
  summary: 'prints the recovery handbook of a box: how to reach it, what ran, how to go on',
  operands: ['<box>'],
  flags: {},
  details: [
    'From what is kept on this machine; the box is not asked, and nothing is changed. Markdown, without secrets.',
    'Exit code 1: the box was never checked, or what was seen cannot be read, so its runs are not known.',
  ],
  async run({ operands: [name = ''], isJson }, context) {
    const folder = dataFolder(context.env, context.platform);
    const opened = openReadOnly(folder);
    if (!opened.ok) return { refused: `${opened.error.message} ${opened.error.nextStep}` };
    const database = opened.value;
    try {
      const listed = database.boxes.list();
      const called = listed.ok ? listed.value.rows.filter((box) => box.name === name) : [];
      // One that is gone is read of as well, where no other has its name now.
      const living = called.filter((box) => !isArchived(box));
      const boxes = living.length > 0 ? living : called;
      const [box] = boxes;
      if (box === undefined || boxes.length > 1) {
        return {
          refused: `${boxes.length === 0 ? 'No box is' : 'Several boxes are'} called ${printable(name)}.`,
        };
      }
      const { known, blocks } = await keptHandbook(box, { database, folder, context });
      if (isJson) await context.out.json({ box: box.name, atMs: known.atMs, blocks });
      else await context.out.lines(toMarkdown(blocks).trimEnd().split('\n'));
      return known.memory === null ? 1 : 0;
    } finally {
      database.close();
    }
  },
};

interface Kept {
  readonly database: Pick<ReadOnlyDatabase, 'entries' | 'hostKeys'>;
  readonly folder: string;
  readonly context: CommandContext;
}

/** The handbook from what is kept on this machine, without the window. */
export async function keptHandbook(
  box: Box,
  { database, folder, context }: Kept,
): Promise<{ readonly known: RecoveryKnowledge; readonly blocks: readonly Block[] }> {
  const profiles = new Map(
    (await profilesFor(context)).all.map(({ profile }) => [profile.id, profile]),
  );
  const maxAgeMonths = await maxAgeFor(context);
  const atMs = Date.now();
  const known = await gatherKnowledge(
    box,
    {
      dataFolder: folder,
      hostKeys: database.hostKeys,
      profileOf: (platform) => profiles.get(platform) ?? null,
      clocksOf: () => keptClocks(box, { database, profiles, maxAgeMonths, atMs }),
      gotchas: () =>
        loadGotchas({
          shipped: join(context.root, 'resources', 'gotchas'),
          own: join(folder, OWN_GOTCHAS),
        }),
    },
    atMs,
  );
  return { known, blocks: writeHandbook(known, redactText) };
}

interface Around {
  readonly database: Pick<ReadOnlyDatabase, 'entries'>;
  readonly profiles: ReadonlyMap<string, Profile>;
  readonly maxAgeMonths: number;
  readonly atMs: number;
}

/** As far as they are known without the window. */
export function keptClocks(
  box: Box,
  { database, profiles, maxAgeMonths, atMs }: Around,
): Pick<RecoveryKnowledge, 'clocks' | 'clocksLack'> {
  const told = database.entries.read(box.id, 'clocks', clockEntries);
  const walltime = database.entries.read(box.id, 'walltime', keptWalltimes);
  const unread = [told, walltime].flatMap((each) => (each.ok ? [] : [each.error.message]));
  const clocks = selectClocks({
    profile: profiles.get(box.platform) ?? null,
    situation: {
      ...NOTHING_KNOWN,
      walltimes: (walltime.ok ? walltime.value : null) ?? NO_WALLTIMES,
    },
    entries: (told.ok ? told.value : null) ?? NOTHING_TOLD,
    account: null,
    openEnd: null,
    nowMs: atMs,
    maxAgeMonths,
  });
  return { clocks, clocksLack: [CLOCKS_LACK, ...unread].join(' ') };
}
