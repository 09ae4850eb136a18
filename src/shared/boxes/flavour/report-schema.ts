import { z } from 'zod';
import { commandWays, type FlavourReport } from './report.ts';

// Apart from the types: the window has no use for the schema library, which also tries `new Function` when it is loaded.

const said = z.string().min(1).max(600);

const fact = z.discriminatedUnion('answer', [
  z.strictObject({ answer: z.literal('yes'), clue: said }),
  z.strictObject({ answer: z.literal('no'), clue: said }),
  z.strictObject({ answer: z.literal('unknown'), because: said }),
]);

const namedFact = z.discriminatedUnion('answer', [
  z.strictObject({ answer: z.literal('named'), name: z.string().min(1).max(40), clue: said }),
  z.strictObject({ answer: z.literal('unknown'), because: said }),
]);

/** Nothing in a report is empty or longer than a person reads. */
export const flavourReport = z.strictObject({
  atMs: z.number(),
  gateway: z.string().max(20).nullable(),
  commandWay: z.enum(commandWays),
  commands: fact,
  forcedCommand: fact,
  loginShell: namedFact,
  bash: fact,
  tools: namedFact,
  noise: fact,
  sftp: fact,
  isSftpBroken: z.boolean(),
  tunnels: fact,
  areTunnelsLimited: z.boolean(),
  banner: fact,
  terminals: fact,
}) satisfies z.ZodType<FlavourReport>;
