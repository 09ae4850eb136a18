import { join } from 'node:path';
import type { Problem } from '../../shared/problem.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { isUnchanged } from '../../shared/manifest/manifest.ts';
import { isAllHome, type HomeLook } from '../../shared/transfer/home-look.ts';
import { Manifests } from '../manifest/manifests.ts';
import { MANIFESTS } from '../manifest/manifest-store.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { lookHome } from '../transfer/home-look.ts';
import { proofOfRun } from '../transfer/run-proof.ts';
import { inProcess } from '../workers/in-process.ts';
import type { Command } from './command.ts';
import { findRoot, notChosen, type FoundRoot } from './known-runs.ts';
import {
  overItsLink,
  REACHES_A_BOX,
  tellUnreached,
  withNamedBox,
  type NamedBox,
} from './named-box.ts';
import { counted } from './table.ts';

export const home: Command = {
  name: 'home',
  summary:
    'whether what was brought home of a run still is all that the box has, and still is here',
  operands: ['<box>', '<run or folder>'],
  flags: {},
  details: [
    'The box lists its results once more, and they are compared with the manifest of the last pull; the copies here against the size and the',
    'time that they had when they were proven. Nothing is hashed, and nothing is changed on either side.',
    ...REACHES_A_BOX,
    'Exit code 1: the box did not answer, nothing was brought home, or something of it is not home now.',
  ],
  run: ({ operands: [name = '', wanted = ''], isJson }, context) =>
    withNamedBox(name, context, async (known) => {
      const { out, err: errors } = context;
      const acted = await overItsLink<
        FoundRoot | { readonly kind: 'looked'; readonly look: HomeLook }
      >(known, async (connection) => {
        const found = await findRoot(connection, known, wanted);
        if (!found.ok || found.value.kind !== 'found') return found;
        const look = await lookAt(known, connection, found.value.run);
        return look.ok ? ok({ kind: 'looked', look: look.value }) : look;
      });
      if (!acted.ok) return tellUnreached(known, acted.error, 'home', isJson);
      if (acted.value.kind !== 'looked') {
        if (acted.value.kind !== 'found') await errors.line(notChosen(acted.value, wanted));
        return 1;
      }
      const { look } = acted.value;
      const isHome = isAllHome(look);
      if (isJson) await out.json({ box: known.box.name, problem: null, home: { isHome, ...look } });
      else await out.lines(linesOf(look));
      return isHome ? 0 : 1;
    }),
};

async function lookAt(
  { box, database, folder, scripts }: NamedBox,
  connection: SshConnection,
  run: Parameters<typeof lookHome>[2]['run'],
): Promise<Result<HomeLook, Problem>> {
  const proof = await proofOfRun(database.evidence, box.id, run.id);
  if (!proof.ok) return proof;
  if (proof.value === null) {
    return err(
      problem('results-not-pulled', 'The results of this run have not been brought home.'),
    );
  }
  const manifests = new Manifests({ scripts, workers: inProcess, folder: join(folder, MANIFESTS) });
  const at = { boxId: box.id, run, proof: proof.value };
  const signal = new AbortController().signal;
  return lookHome(connection, manifests, at, { signal, onProgress: () => undefined });
}

function linesOf(look: HomeLook): readonly string[] {
  const { now, changes, missingCopies, unproven, brokenSets, seq } = look;
  const lines = [
    ...changes.named.map(({ kind, path }) => `${path}: ${kind} on the box since`),
    ...missingCopies.named.map((path) => `${path}: its copy here is gone or has changed`),
    ...unproven.map(({ path, state }) => `${path}: ${state}`),
    ...brokenSets.map((path) => `${path}: not whole`),
  ];
  const sum = `${counted(now.files, 'file')} of ${now.folder}, manifest ${now.digest}`;
  const disk = now.tellsWrites
    ? []
    : ['The box need not report every change there: one may go unnoticed.'];
  const unread =
    now.unread === 0 ? [] : [`The box could not tell enough of ${counted(now.unread, 'file')}.`];
  if (isAllHome(look)) return [`${sum}: all home, as evidence ${String(seq)} proved.`];
  const since = isUnchanged(changes)
    ? `unchanged since evidence ${String(seq)}`
    : `changed since evidence ${String(seq)}`;
  return [...lines, ...disk, ...unread, `${sum}: ${since}, and not all of it is home.`];
}
