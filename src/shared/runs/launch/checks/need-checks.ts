import type { Clock } from '../../../clocks/clock.ts';
import { nearestClock } from '../../../clocks/select-clocks.ts';
import { formatWhen } from '../../../clocks/when.ts';
import { HOUR_MS } from '../../../meter/rate.ts';
import { asPattern } from '../../../profiles/tier-paths.ts';
import { plainLine } from '../../../questions/hostile-text.ts';
import { usualSecretPath } from '../../../secrets/sent-secret.ts';
import { roundsOf, type Workload } from '../../queue/workload.ts';
import type { GpuDetails } from '../../../telemetry/gpu-facts.ts';
import type { KnownBox } from '../known-box.ts';
import type { PreflightCheck } from '../launch-plan.ts';
import type { RunPreflight, SecretLook } from '../run-preflight.ts';
import type { RunRequest } from '../run-request.ts';
import { routesOf } from '../routes.ts';
import { freshFacts, problemOf, wantedOf } from './gpu-checks.ts';
import {
  block,
  listWords,
  MAX_SHOWN_CHARS,
  ownTrap,
  pass,
  unknown,
  warn,
  type Judged,
} from './judged.ts';

const MIB_PER_GIB = 1024;
/** What a card shows is a little less than what it is sold with: 81559 MiB of 80 GiB, 23034 of 24. */
const SOLD_TOLERANCE = 0.93;

/** The cards that the run asks for, against those that the box really has. */
export function judgeGpuNeed(request: RunRequest, known: KnownBox): Judged | null {
  const { gpus: need } = request;
  if (need === undefined) return null;
  const facts = freshFacts(known);
  if (typeof facts === 'string') return unknown(`${needWords(need)}. ${facts}`);
  const problem = problemOf(known);
  // No tool that tells of a card is not the same as no card.
  if (facts.gpus.length === 0 && problem !== null && problem.code !== 'no-gpu') {
    return unknown(`${needWords(need)}. ${plainLine(problem.message, MAX_SHOWN_CHARS)}`);
  }
  const cards = wantedOf(request, facts.gpus);
  const fit = cards.filter((card) => fitsNeed(card, need));
  const count = need.count ?? 1;
  const has = cards.length === 0 ? 'no GPU' : listWords(cards.map(cardWords));
  const says = `${needWords(need)}; the box has ${has}.`;
  const entry = ownTrap(known, 'VAST14');
  if (fit.length >= count) return pass(says, entry);
  const unread = cards.filter(
    (card) => !fit.includes(card) && fitsNeed({ ...card, memoryTotalMiB: Infinity }, need),
  );
  // What the card did not tell may be enough.
  return unread.every(({ memoryTotalMiB }) => memoryTotalMiB === null) &&
    fit.length + unread.length >= count
    ? unknown(`${says} How much memory it has is not told.`, entry)
    : block(says, entry, 'the run may fail or be slower than you expect.');
}

type GpuNeed = NonNullable<RunRequest['gpus']>;

/** Whether it is such a card. */
export function fitsNeed({ name, memoryTotalMiB }: GpuDetails, { names, gib }: GpuNeed): boolean {
  const isCalled = names === undefined || names.some((pattern) => isCalledSo(name, pattern));
  const hasRoom = gib === undefined || (memoryTotalMiB ?? 0) >= gib * MIB_PER_GIB * SOLD_TOLERANCE;
  return isCalled && hasRoom;
}

/** A part of the name; "*" is anything. */
function isCalledSo(name: string, pattern: string): boolean {
  const parts = pattern.split(/\*+/).map(asPattern);
  return new RegExp(parts.join('.{0,80}?'), 'i').test(name.slice(0, 200));
}

function needWords({ names, count = 1, gib }: GpuNeed): string {
  const what = names === undefined ? '' : ` (${names.join(' or ')})`;
  const memory = gib === undefined ? '' : ` with ${String(gib)} GiB`;
  return `The run needs ${count === 1 ? '1 GPU' : `${String(count)} GPUs`}${what}${memory}`;
}

function cardWords({ name, memoryTotalMiB }: GpuDetails): string {
  const memory =
    memoryTotalMiB === null
      ? 'memory not told'
      : `${(memoryTotalMiB / MIB_PER_GIB).toFixed(0)} GiB`;
  return `${plainLine(name, 60)} (${memory})`;
}

const NOT_THERE: Readonly<Record<Exclude<SecretLook, 'there' | 'open'>, string>> = {
  gone: 'is not on the box',
  empty: 'is empty on the box',
  other: 'is no ordinary file of yours on the box',
  hidden: "can't be looked at on the box",
};

/** Whether what the run reads its secrets from is there, closed to others. Nothing of it is read (U34). */
export function judgeSecrets(
  { secrets = [] }: RunRequest,
  { secrets: seen }: RunPreflight,
): Judged | null {
  if (secrets.length === 0) return null;
  const missing = secrets.flatMap((name) => {
    const state = seen.get(name);
    return state === undefined || state === 'there' || state === 'open' ? [] : [{ name, state }];
  });
  const [first] = missing;
  if (first !== undefined) {
    const others = missing.slice(1).map(({ name }) => name);
    const more = others.length === 0 ? '' : `; nor are ${listWords(others)} as they should be`;
    return block(
      `${first.name} ${NOT_THERE[first.state]} (${usualSecretPath(first.name)})${more}. Send it with “Send a secret…”, under that name and into that file.`,
      'U34',
      'the run ends at once if it is still missing.',
    );
  }
  if (secrets.some((name) => !seen.has(name))) {
    return unknown('Whether the secrets of the run are on the box is not known.', 'U34');
  }
  const open = secrets.filter((name) => seen.get(name) === 'open');
  return open.length > 0
    ? warn(
        `Others on the box may read ${listWords(open.map(usualSecretPath))}. Close it: chmod 600.`,
        'U34',
      )
    : pass(`${listWords(secrets)} ${secrets.length === 1 ? 'is' : 'are'} on the box.`, 'U34');
}

/** Whether it reaches what it needs, asked from the shell of the run, through its proxy. */
export function judgeRoutes(
  request: RunRequest,
  { routes }: RunPreflight,
  known: Pick<KnownBox, 'traps'>,
): Judged | null {
  const addresses = routesOf(request);
  if (addresses.length === 0) return null;
  const asked = addresses.map((address, at) => ({ address, route: routes[at] ?? null }));
  const gotcha = ownTrap(known, 'AD1');
  const failed = asked.flatMap(({ address, route }) =>
    route?.kind === 'failed' ? [`${address} (${route.because})`] : [],
  );
  if (failed.length > 0) {
    return warn(`From the shell of the run, this is not reached: ${listWords(failed)}.`, gotcha);
  }
  const open = asked.flatMap(({ address, route }) =>
    route?.kind === 'answered' ? [] : [`${address}${route === null ? '' : ` (${route.because})`}`],
  );
  return open.length > 0
    ? unknown(`Whether the run reaches ${listWords(open)} is not known.`, gotcha)
    : pass(`${listWords(addresses)} ${addresses.length === 1 ? 'answers' : 'answer'}.`, gotcha);
}

/** Whether the platform or a timer ends the box before the run would be over. */
export function judgeTime(
  { hours }: RunRequest,
  { clocks, nowMs }: KnownBox,
  work: Workload,
): Judged | null {
  if (hours === undefined) return null;
  const lasting = hours * roundsOf(work);
  const lastingMs = lasting * HOUR_MS;
  // The idle stop has its own question: a box that works is not idle.
  const clock = nearestClock(
    clocks
      .filter(({ due, entry }) => {
        const isIdleStop = entry?.kind === 'time' && entry.what === 'idle-stop';
        return due.kind === 'at' && !isIdleStop;
      })
      .sort((one, other) => atOf(one) - atOf(other)),
    nowMs,
  );
  const takes = `The run is expected to take ${hoursWords(lasting)}`;
  if (clock?.due.kind !== 'at') return pass(`${takes}, and no timer of the box is known to run.`);
  const told = `${plainLine(clock.trigger, MAX_SHOWN_CHARS)}, ${formatWhen(clock.due.atMs)}${clock.due.isEstimate ? ' (estimated)' : ''}`;
  return nowMs + lastingMs > clock.due.atMs
    ? warn(
        `${takes}, which is longer than what is left: ${told}. Then: ${plainLine(clock.consequence, MAX_SHOWN_CHARS)}.`,
      )
    : pass(`${takes}, before the next timer of the box (${told}).`);
}

export function hoursWords(hours: number): string {
  if (hours * 60 < 0.5) return 'less than a minute';
  if (hours < 1) return `${String(Math.round(hours * 60))} min`;
  return `${String(Math.round(hours * 10) / 10)} h`;
}

export const END = { id: 'end', title: 'End of the box' } as const;

/** An end of the box that a person approved in Leasehold, and that nothing has confirmed: what runs there goes with it. */
export function judgeEnd({ clocks }: Pick<KnownBox, 'clocks'>): Judged | null {
  const end = clocks.find(({ due }) => due.kind === 'unconfirmed');
  return end === undefined
    ? null
    : block(
        `The end of this box is under way: ${plainLine(end.trigger, MAX_SHOWN_CHARS)}. Call it off on its Teardown tab first.`,
        null,
        'the run is lost once the box ends.',
      );
}

/** The checks of a plan as they stand right before its launch: an end may have been approved since, or called off. */
export function withEndNow(
  checks: readonly PreflightCheck[],
  known: Pick<KnownBox, 'clocks'>,
): readonly PreflightCheck[] {
  const end = judgeEnd(known);
  const others = checks.filter(({ id }) => id !== END.id);
  return end === null ? others : [...others, { ...END, ...end }];
}

/** Whether it is a box that the request is meant for. */
export function judgePlatform(
  { platforms }: RunRequest,
  { platform, profile }: KnownBox,
): Judged | null {
  if (platforms === undefined) return null;
  const meant = platforms.join(', ');
  if (platform === null)
    return unknown(`The request is meant for ${meant}; whose box this is is not known.`);
  const own = profile?.name ?? platform;
  return platforms.includes(platform)
    ? pass(`The request is meant for ${own}.`)
    : warn(`The request is meant for ${meant}, and this box is of ${own}.`);
}

const atOf = ({ due }: Clock): number => (due.kind === 'at' ? due.atMs : Infinity);
