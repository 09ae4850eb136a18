import { join, resolve } from 'node:path';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { ToAccept } from '../../shared/evidence/accepted.ts';
import { acceptDamaged, besideAccepted } from '../evidence/accept-damaged.ts';
import {
  acceptedBeside,
  brokenSets,
  pulledState,
  type PulledState,
} from '../../shared/transfer/home.ts';
import type { ResultRoot } from '../../shared/transfer/result-root.ts';
import { slowWayOf } from '../../shared/profiles/copy-way.ts';
import { rulesOn } from '../../shared/transfer/keep-rules.ts';
import type { PullRetry, RunProof } from '../../shared/transfer/pull.ts';
import { LIMIT_MBPS } from '../../shared/transfer/continuous/continuous-pull.ts';
import { Manifests } from '../manifest/manifests.ts';
import { MANIFESTS } from '../manifest/manifest-store.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { peekSettings } from '../storage/settings.ts';
import { lacksRoom } from '../../shared/transfer/room.ts';
import { fullHere } from '../transfer/plan-pull.ts';
import { bytesPerS, Pace } from '../transfer/pace.ts';
import { fatesOn } from '../transfer/box-fates.ts';
import { goingOn } from '../transfer/continuous/going-on.ts';
import { targetsOf } from '../transfer/hold-target.ts';
import { keepProof } from '../transfer/read-proof.ts';
import { ResultPuller } from '../transfer/result-puller.ts';
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
import { profilesFor } from './profiles-common.ts';
import { counted, tableLines } from './table.ts';
import { saysOf } from './verify.ts';

/** Of more files only those that came short stand in the table. */
const MAX_ROWS = 1000;

const MOST_REASON = 200;
const FINE: ReadonlySet<PulledState> = new Set<PulledState>(['home', 'accepted']);

interface Pulled {
  readonly kind: 'pulled';
  readonly proof: RunProof;
}

export const pull: Command = {
  name: 'pull',
  summary: 'brings results of a box home, proves each file, and keeps that as evidence',
  operands: ['<box>', '<run or folder>'],
  flags: {
    to: { value: 'folder', help: 'where to, on this computer; made if it is not there' },
    accept: {
      value: 'file',
      help: 'takes this one file although it is damaged, here as on the box; needs --because',
    },
    because: { value: 'reason', help: 'why the damaged file is taken; kept in the evidence' },
    limit: { value: 'MB/s', help: 'no faster than so many megabytes a second' },
  },
  details: [
    'A launched run is given by its id, or by its name where only one has it; any other folder of the box by its whole path.',
    'What stands in the folder here is never written over; a pull that was cut off goes on when it is begun again into the same folder.',
    'Nothing among the results is changed on the box. “There” is what becomes of a file on the box by the tiers of its platform: stays,',
    'lost-on-stop, lost-on-destroy, depends, or unknown.',
    'A file whose only copy is damaged can be accepted by its name, one at a time; that holds for these bytes of it, also later.',
    ...REACHES_A_BOX,
    'Exit code 1: the box did not answer, has no such run, or a file did not come home whole or is damaged and not accepted.',
  ],
  run: async ({ operands: [name = '', wanted = ''], flags, isJson }, context) => {
    const to = flags.get('to');
    if (to === undefined) return { refused: '--to names the folder that the results go to.' };
    const limit = flags.get('limit');
    const limitMBps = limit === undefined ? null : Number(limit);
    if (limitMBps !== null && !isLimit(limitMBps)) {
      return { refused: '--limit is a number of megabytes a second.' };
    }
    const [accept, because = ''] = [flags.get('accept'), flags.get('because')?.trim()];
    if ((accept === undefined) !== (because === '')) {
      return { refused: '--accept and --because go together: which file, and why.' };
    }
    if (because.length > MOST_REASON || /[\r\n\0]/.test(because)) {
      return { refused: `--because is one line of at most ${String(MOST_REASON)} characters.` };
    }
    return withNamedBox(name, context, async (known) => {
      const { out, err: errors } = context;
      const acted = await overItsLink<FoundRoot | Pulled>(known, async (connection) => {
        const found = await findRoot(connection, known, wanted);
        if (!found.ok || found.value.kind !== 'found') return found;
        return bringHome(known, connection, {
          ...{ run: found.value.run, to: resolve(to), limitMBps },
          accept: accept === undefined ? null : { path: accept, because },
        });
      });
      if (!acted.ok) return tellUnreached(known, acted.error, 'pull', isJson);
      const done = acted.value;
      if (done.kind !== 'pulled') {
        if (done.kind !== 'found') await errors.line(notChosen(done, wanted));
        return 1;
      }
      const { files, runName, to: folder } = done.proof.report;
      const short = files.filter((file) => !FINE.has(pulledState(file)));
      const broken = brokenSets(done.proof.report);
      if (isJson) await out.json({ box: known.box.name, problem: null, pull: done.proof });
      else {
        const rows = files.length > MAX_ROWS ? short.slice(0, MAX_ROWS) : files;
        const cells = rows.map(({ path, bytes, mark, level, fate, says, loaded, accepted }) => [
          ...[path, bytes, mark, level, fate ?? '-'],
          `${says ?? saysOf(loaded)}${accepted === undefined ? '' : `; accepted: ${accepted}`}`,
        ]);
        await out.lines(tableLines(['file', 'bytes', 'here', 'proof', 'there', ''], cells));
        for (const set of broken) {
          await out.line(`${set.path}: ${set.says}`);
          for (const part of acceptedBeside(set, files)) {
            await out.line(`${set.path}: stays so, although ${part} was accepted`);
          }
        }
        const [fine, not] = [files.length - short.length, short.length].map(String);
        await out.line(
          `${runName}: ${counted(files.length, 'file')} in ${folder}: ${fine ?? ''} fine, ${not ?? ''} not; evidence ${String(done.proof.seq)}`,
        );
      }
      return short.length + broken.length > 0 ? 1 : 0;
    });
  },
};

interface Wanted {
  readonly run: ResultRoot;
  readonly to: string;
  readonly limitMBps: number | null;
  /** A damaged file that the person takes; null: none. */
  readonly accept: Pick<ToAccept, 'path' | 'because'> | null;
}

const isLimit = (limit: number): boolean => limit >= LIMIT_MBPS.min && limit <= LIMIT_MBPS.max;

async function bringHome(
  { scripts, database, folder, box, context }: NamedBox,
  connection: SshConnection,
  { run, to, limitMBps, accept }: Wanted,
): Promise<Result<Pulled, Problem>> {
  const workers = inProcess;
  const manifests = new Manifests({ scripts, workers, folder: join(folder, MANIFESTS) });
  const targets = targetsOf(folder, context.env, context.platform);
  const puller = new ResultPuller({ scripts, workers, manifests, targets });
  const { all } = await profilesFor(context);
  const profile = all.find((each) => each.profile.id === box.platform)?.profile ?? null;
  const slow = profile === null ? null : slowWayOf(profile, box.address.host);
  if (slow?.isCertain === true) {
    const { name, endpoint } = slow.better;
    await context.err.line(
      `${box.name} is reached over ${slow.name}, over which copies are: ${slow.copies}. Better is ${name}: ${endpoint ?? 'see its page'}.`,
    );
  }
  const fates = fatesOn(connection, scripts, profile);
  const own = (await peekSettings(folder))?.settings.keepRules ?? [];
  const listed = await puller.plan(connection, run, to, fates, rulesOn(own, box.id));
  if (!listed.ok) return listed;
  const { evidence, entries } = database;
  const planned = await goingOn(box.id, listed.value, {
    ...{ evidence, entries },
    onProblem: ({ message }) => void context.err.line(message),
  });
  const { shown } = planned;
  if (lacksRoom(shown)) return err(fullHere(to, shown));
  const opened: SshConnection[] = [];
  const connect = async (signal: AbortSignal): Promise<Result<SshConnection, Problem>> => {
    const next = await connection.openAnother(signal);
    if (next.ok) opened.push(next.value);
    return next;
  };
  let told: PullRetry | undefined;
  const pulled = await puller.pull(
    planned,
    { connection, connect },
    {
      boxId: box.id,
      signal: new AbortController().signal,
      paces: [new Pace(() => bytesPerS(limitMBps))],
      onProgress: ({ retry }) => {
        if (retry === undefined || retry === told) return;
        told = retry;
        void context.err.line(
          `${retry.because} Try ${String(retry.tries)} of ${String(retry.ofTries)} follows.`,
        );
      },
    },
  );
  for (const each of opened) each.close();
  if (!pulled.ok) return pulled;
  const kept = await keepProof(evidence, box.id, pulled.value);
  if (!kept.ok) return kept;
  planned.byHand?.proven(kept.value);
  if (accept !== null) {
    const known = besideAccepted(evidence, box.id, kept.value);
    if (!known.ok) return known;
    const file = known.value.report.files.find(({ path }) => path === accept.path);
    const taken = { ...accept, sha256: file?.sha256 ?? '' };
    const accepted = acceptDamaged(evidence, box.id, known.value, taken);
    if (!accepted.ok) return accepted;
  }
  const proof = besideAccepted(evidence, box.id, kept.value);
  return proof.ok ? ok({ kind: 'pulled', proof: proof.value }) : proof;
}
