import { estimateFor, type Estimate } from '../../meter/estimate.ts';
import { HOUR_MS } from '../../meter/rate.ts';
import { burnWords, moneyWords } from '../../meter/money-words.ts';
import { judgeSendTime, sendTimeWords, type SendTime } from '../../transfer/push-rate.ts';
import type { YesNo } from '../../profiles/profile.ts';
import type { PlannedPush } from '../../transfer/planned-push.ts';
import { hoursWords } from './checks/need-checks.ts';
import { tierOf } from './checks/platform-checks.ts';
import { copyPlan } from './copy-plan.ts';
import type { KnownBox } from './known-box.ts';
import { pastRunsOf, pastWords, type PastRuns } from './past-runs.ts';
import { profileSettings, type ProfileSettings } from './profile-settings.ts';
import type { PlaceDisk, RunPreflight } from './run-preflight.ts';
import { roundsOf, type Workload } from '../queue/workload.ts';
import type { RunRequest } from './run-request.ts';

/** What a launch comes to beside what it does: where things lie and whether they stay, and what it costs. */
export interface Outlook {
  readonly lands: readonly Landing[];
  /** Null: the request does not say how long it takes. */
  readonly hours: number | null;
  /** While the box runs; null: not known. */
  readonly perHour: Estimate | null;
  /** Of all these hours. */
  readonly whole: Estimate | null;
  /** What earlier runs of the same say of it; absent: there are none, or it is a queue. */
  readonly past?: PastRuns;
  /** How long its code takes to send; null: not known. Absent: nothing is sent. */
  readonly sending?: SendTime | 'unread' | null;
  /** What of the platform's profile goes into it; null: nothing. */
  readonly settings: ProfileSettings | null;
}

/** Something that the launch or the run puts on the box. */
export interface Landing {
  readonly what: string;
  /** As a whole path, as far as the box told it. */
  readonly path: string;
  /** In words: which storage that is, and whether it is there after a stop. */
  readonly stays: string;
}

interface Around {
  readonly look: RunPreflight;
  readonly known: KnownBox;
  readonly push: PlannedPush | null;
  readonly runFolder: string;
  readonly work: Workload;
}

export function outlookOf(
  request: RunRequest,
  { look, known, push, runFolder, work }: Around,
): Outlook {
  const { folderDisk, resultsDisk, home } = look;
  const landing = (what: string, path: string, disk: PlaceDisk | null): Landing => ({
    what,
    path: disk?.path ?? path,
    stays: staysWords(disk ?? { path, type: null, mount: null }, home, known),
  });
  const { charges } = known;
  const copy = copyPlan(request, runFolder.split('/').at(-1) ?? '', home, known.profile);
  const hours = request.hours === undefined ? null : request.hours * roundsOf(work);
  const costOf = (each: number): Estimate | null =>
    charges === null ? null : estimateFor(charges, each * HOUR_MS);
  const past = work.runs > 1 ? null : pastRunsOf(request, known.runs, charges);
  return {
    lands: [
      ...(push === null ? [] : [landing('Code', push.to, folderDisk)]),
      ...(request.fetch ?? []).map(({ into }) =>
        landing('Fetched data', wholePath(into, request, home), null),
      ),
      request.results === null
        ? landing('Working folder', wholePath(request.folder, request, home), folderDisk)
        : landing('Results', wholePath(request.results, request, home), resultsDisk),
      ...(copy === null ? [] : [landing('Copy of the results', copy.to, null)]),
      landing('Log and state', runFolder, null),
    ],
    hours,
    perHour: costOf(1),
    whole: hours === null ? null : costOf(hours),
    ...(past === null ? {} : { past }),
    ...(push === null || push.send.count === 0
      ? {}
      : { sending: judgeSendTime(push.send.bytes, known.pushes, charges) }),
    settings: profileSettings(request, known.profile),
  };
}

function wholePath(path: string, { folder }: Pick<RunRequest, 'folder'>, home: string): string {
  const from = path.startsWith('/') || /^~(?:\/|$)/.test(path) ? path : `${folder}/${path}`;
  return from.replace(/^~(?=\/|$)/, home);
}

function staysWords(disk: PlaceDisk, home: string, { profile }: KnownBox): string {
  if (profile === null) return 'whose box this is is not known, so whether it stays is not either';
  const tier = tierOf(profile, disk, home);
  if (tier === null) return `on no storage that the facts of ${profile.name} name`;
  const { name, survivesStop, survivesDestroy } = tier;
  const [stop, end] = [stopWords(survivesStop), endWords(survivesDestroy)];
  return `${name}: ${stop}, ${end}`;
}

const told =
  (kept: string, lost: string, what: string) =>
  (survives: YesNo): string => {
    if (survives === null) return `not known whether it ${kept}`;
    if (typeof survives === 'string') return `${what}: ${survives}`;
    return survives ? kept : lost;
  };
const stopWords = told('survives a stop', 'lost at a stop', 'after a stop');
const endWords = told(
  'survives when the box is destroyed',
  'lost when the box is destroyed',
  'once the box is destroyed',
);

/** What stands before the run itself: how long its code takes to send and its data to fetch, each with its name. */
export function beforehandWords(
  { sending }: Outlook,
  { fetch = [] }: Pick<RunRequest, 'fetch'>,
): readonly (readonly [name: string, words: string])[] {
  return [
    ...(sending === undefined ? [] : [['Time to send', sendTimeWords(sending)] as const]),
    ...(fetch.length === 0 ? [] : [['Time to fetch', FETCH_UNKNOWN] as const]),
  ];
}

const FETCH_UNKNOWN = 'not known: how much there is to fetch shows only on the box';

/** Time and money in one line, and how sure they are. */
export function costWords(outlook: Outlook): string {
  const { past } = outlook;
  const words = expectedWords(outlook);
  return past === undefined ? words : `${words}; ${pastWords(past)}`;
}

function expectedWords({ hours, perHour, whole, past }: Outlook): string {
  const rate = perHour === null ? 'price not read' : burnWords(perHour);
  if (hours === null && past !== undefined) return rate;
  if (hours === null) return `${rate}; how long it will run is not known`;
  const takes = `for the ${hoursWords(hours)} that you expect`;
  if (whole === null || whole.money.length === 0) {
    return `${rate}; you expect ${hoursWords(hours)}`;
  }
  const { money } = whole;
  return `${whole.isPartly ? 'at least ' : 'about '}${moneyWords(money)} ${takes}; each extra hour costs ${burnWords(perHour, '')}`;
}
