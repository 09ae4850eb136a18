import { formatWhen } from '../../../clocks/when.ts';
import type { Workload } from '../../queue/workload.ts';
import { lossEntries } from '../../../patrol/detectors/lost-checkpoints.ts';
import { isUnsaid } from '../../../profiles/platform-names.ts';
import type { StorageTier } from '../../../profiles/profile.ts';
import { fitsPattern, isPattern, pathOn, pathsOf } from '../../../profiles/tier-paths.ts';
import { plainLine } from '../../../questions/hostile-text.ts';
import { copyFolder } from '../copy-plan.ts';
import type { KnownBox, LaunchProfile } from '../known-box.ts';
import type { PlaceDisk, RunPreflight } from '../run-preflight.ts';
import { hookFile, profileSettings } from '../profile-settings.ts';
import { DURABLE, type RunRequest } from '../run-request.ts';
import { GIB, MAX_SHOWN_CHARS, ownTrap, pass, unknown, warn, type Judged } from './judged.ts';

const isBelow = (path: string, folder: string): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`);

/** Whether what the run writes is still there after a stop of the box. */
export function judgeTier(
  { results, copy }: RunRequest,
  look: RunPreflight,
  known: KnownBox,
): Judged | null {
  const { profile } = known;
  const [what, disk] =
    copy !== undefined
      ? (['The copy of the results', look.copyDisk] as const)
      : results === null
        ? (['The working folder', look.folderDisk] as const)
        : (['The results folder', look.resultsDisk] as const);
  if (profile === null || disk === null) return null;
  const where = plainLine(disk.path, MAX_SHOWN_CHARS);
  const netdisk = profile.watched.find(
    ({ path, for: use }) => use === 'netdisk' && isBelow(disk.path, path),
  );
  if (netdisk !== undefined && disk.mount !== null && !isBelow(disk.mount, netdisk.path)) {
    return warn(
      `${what} is below ${netdisk.path}, which is not mounted on this machine: what is written there lies on ${plainLine(disk.mount, MAX_SHOWN_CHARS)}.`,
      ownTrap(known, 'GS3'),
    );
  }
  const tier = tierOf(profile, disk, look.home);
  if (tier === null) {
    return unknown(`${what} (${where}) lies on no storage that the facts of ${profile.name} name.`);
  }
  const entry = ownTrap(known, 'RP2', 'LAM2', ...lossEntries);
  const note = tier.note === null ? '' : ` ${tier.note}`;
  const isOffered = copy === undefined && results !== null;
  const offer =
    isOffered && copyFolder({ to: DURABLE, prune: [] }, profile) !== null
      ? ` To have the results copied to storage that does, enter “${DURABLE}” for their copy.`
      : '';
  switch (tier.survivesStop) {
    case true:
      return pass(
        `${what} lies on the ${tier.name}, which survives a stop${tier.survivesDestroy === true ? ' and the end of the box' : ''}.${note}`,
        entry,
      );
    case false:
      return warn(
        `${what} lies on the ${tier.name}, which does not survive a stop.${note}${offer}`,
        entry,
      );
    case null:
      return tier.survivesDestroy === false
        ? warn(
            `${what} lies on the ${tier.name}, which is gone with the box.${note}${offer}`,
            entry,
          )
        : unknown(
            `${what} lies on the ${tier.name}; whether that survives a stop is not known.${note}`,
            entry,
          );
    default:
      return unknown(
        `${what} lies on the ${tier.name}, which survives a stop: ${tier.survivesStop}.${note}`,
        entry,
      );
  }
}

const GIB_PER_GB = 1e9 / GIB;

/** Of storage that costs nothing up to a size, which may be all that a plan has: whether what the run says that it leaves is within it. */
export function judgeFreePart(
  { diskGib = 0, checkpoints: { gib = 0, kept = 1 } = {}, results }: RunRequest,
  look: RunPreflight,
  known: KnownBox,
  { runs }: Pick<Workload, 'runs'>,
): Judged | null {
  const { profile } = known;
  const resultsDisk = results === null ? look.folderDisk : look.resultsDisk;
  if (profile === null || resultsDisk === null) return null;
  const tier = tierOf(profile, resultsDisk, look.home);
  const freeGB = tier?.freeGB ?? null;
  if (tier === null || freeGB === null) return null;
  const isOfFolder =
    look.folderDisk !== null && tierOf(profile, look.folderDisk, look.home) === tier;
  const needGib = gib * kept * runs + (isOfFolder ? diskGib : 0);
  if (needGib === 0) return null;
  const says = `The run needs ${String(Math.round(needGib * 10) / 10)} GiB of the ${tier.name}, of which ${String(freeGB)} GB are free of charge`;
  const entry = ownTrap(known, 'PS10');
  return needGib > freeGB * GIB_PER_GB
    ? warn(`${says}: on a plan that has no more, it fails when they are used up.`, entry)
    : pass(`${says}.`, entry);
}

/** The tier with the longest path above this one. A mount that none of them names is none of them. */
export function tierOf(
  { storage }: Pick<LaunchProfile, 'storage'>,
  disk: PlaceDisk,
  home: string,
): StorageTier | null {
  interface Match {
    readonly tier: StorageTier;
    readonly path: string;
  }
  const matches: Match[] = [];
  for (const tier of storage) {
    for (const named of pathsOf(tier)) {
      const path = isPattern(named)
        ? above(disk.path).find((each) => fitsPattern(named, each))
        : pathOn(named, { home, user: null, tmpdir: null });
      if (path === undefined || path === null || !isBelow(disk.path, path)) continue;
      matches.push({ tier, path });
    }
  }
  // Of two that a platform has at one place, the one that survives less is not to be overlooked.
  const least = ({ tier }: Match): number => (tier.survivesDestroy === true ? 1 : 0);
  const [best] = matches.sort((a, b) => b.path.length - a.path.length || least(a) - least(b));
  if (best === undefined) return null;
  const isOtherMount =
    disk.mount !== null && disk.mount.length > best.path.length && isBelow(disk.mount, best.path);
  return isOtherMount ? null : best.tier;
}

/** A path and every folder above it. */
function above(path: string): readonly string[] {
  const parts = path.split('/').slice(1, 40);
  return parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}`);
}

/** Whether the platform may stop the box because it looks idle. */
export function judgeIdleStop({ profile, idleStopAtMs, nowMs }: KnownBox): Judged | null {
  const clock = profile?.clocks.find(
    ({ rule }) =>
      (rule.kind === 'set' && rule.what === 'idle-stop') ||
      (rule.kind === 'after' && rule.from === 'idle'),
  );
  if (profile === null || clock === undefined) return null;
  if (clock.rule.kind === 'after') {
    return warn(
      `${profile.name} ends the box by itself${clock.after === null ? '' : ` after ${clock.after}`} when nothing seems to work: ${clock.consequence}.`,
    );
  }
  if (idleStopAtMs === null || idleStopAtMs <= nowMs) {
    return unknown(
      `${profile.name} can stop a box that looks idle, and whether that is on is not known. Check it (${clock.readAt}) and enter it among the timers of the box.`,
      'CN2',
    );
  }
  return warn(
    `${profile.name} stops the box at ${formatWhen(idleStopAtMs)} if it looks idle, as you entered it. Turn that off for a run with quiet times.`,
    'CN2',
  );
}

/** What the platform needs to reach the outside has to stand in what runs. */
export function judgeProxy(
  request: RunRequest,
  { isSet }: RunPreflight,
  known: KnownBox,
): Judged | null {
  const { profile } = known;
  const { command, activate, env } = request;
  // Of a hook that is not one file to source nobody could tell whether it is there.
  const file = hookFile(profile?.overrides.PROXY_HOOK ?? null);
  if (profile === null || file === null) return null;
  const gotcha = ownTrap(known, 'AD1');
  if (`${activate ?? ''}\n${command}`.includes(file)) {
    return pass(`The run takes the proxy of ${profile.name} (${file}).`, gotcha);
  }
  const isProxied =
    'https_proxy' in env ||
    'HTTPS_PROXY' in env ||
    isSet?.has('https_proxy') === true ||
    isSet?.has('HTTPS_PROXY') === true;
  if (isProxied) return pass('The run has a proxy (https_proxy).', gotcha);
  if (isSet === null) return unknown('Whether the run has a proxy is not known.', gotcha);
  const isTaken = profileSettings(request, profile)?.used.some(({ name }) => name === 'PROXY_HOOK');
  if (isTaken === true) {
    return warn(
      `The run takes the proxy of ${profile.name} (${file}), and that sets none on this box: what is abroad may hang.`,
      gotcha,
    );
  }
  return warn(
    `The run has no proxy, and what is abroad hangs on ${profile.name} without one. Add “source ${file}” to what runs before the command.`,
    gotcha,
  );
}

/** The accelerator of a platform is for one download: what else goes through it hangs (GS2). */
export function judgeLeftProxy(
  { fetch = [] }: RunRequest,
  { isSet }: RunPreflight,
  { accelerators, platform }: KnownBox,
): Judged | null {
  if (isSet?.has('accelerator') === true) {
    const step =
      fetch.length === 0 ? 'a fetch step of the request' : 'the fetch step that needs it';
    return warn(
      `The whole run would go through the accelerator’s proxy, which allows only GitHub, Hugging Face, PyTorch and Kaggle hosts. Set it in ${step}: what is set there ends with the step.`,
      'GS2',
    );
  }
  if (isUnsaid(platform) || accelerators.length === 0) return null;
  return isSet === null
    ? unknown('Whether the accelerator’s proxy is on in the shell of the run is not known.', 'GS2')
    : pass('The accelerator’s proxy is off in the shell of the run.', 'GS2');
}

/** Where models come from, on a platform that reaches the hub badly. */
export function judgeMirror(
  { command, activate, env }: RunRequest,
  { isSet, python }: RunPreflight,
  known: KnownBox,
): Judged | null {
  const { profile } = known;
  if (profile?.needsChinaMirror !== true) return null;
  const text = `${activate ?? ''}\n${command}`;
  const isUsed =
    python?.has.includes('huggingface_hub') === true || /hugging_?face|\bhf /.test(text);
  if (!isUsed) return null;
  const gotcha = ownTrap(known, 'AD2');
  if ('HF_ENDPOINT' in env || text.includes('HF_ENDPOINT=') || isSet?.has('HF_ENDPOINT') === true) {
    return pass('Models come from the mirror that HF_ENDPOINT names.', gotcha);
  }
  if (isSet === null) return unknown('Whether HF_ENDPOINT is set is not known.', gotcha);
  const mirror = profile.overrides.extra?.['HF_ENDPOINT'];
  return warn(
    `HF_ENDPOINT is not set, and downloads of models stall on ${profile.name} without a mirror.${mirror === undefined ? '' : ` Add HF_ENDPOINT=${mirror} to the environment.`}`,
    gotcha,
  );
}
