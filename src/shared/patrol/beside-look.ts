import type { ProcessInLook } from '../runs/process-ref.ts';
import { excerpt } from '../probes/probe-output.ts';
import { readPairs, whole } from '../probes/word-lines.ts';

/** What a look tells beside its runs, of their scripts and of what only one platform makes worth a look. */
export interface BesideLook {
  /** What shells run at this moment, and read piece by piece. */
  readonly scripts: readonly ScriptLook[];
  /** Some of them could not be asked, as on a server that went away. */
  readonly hasUnreadScript: boolean;
  /** The environment of a run, and whether it borrows the packages of the system. */
  readonly environments: readonly EnvironmentLook[];
  /** Folders of torch that a Python of this box could import. Hostile. Null: nobody looked. */
  readonly torch: readonly string[] | null;
  /** The last upgrade of everything, as the box wrote it down. Hostile. `none`: there was none; null: not told. */
  readonly upgrade: string | null;
  /** Names that process 1 was given a value for. Null: not told. */
  readonly podNames: readonly string[] | null;
}

export interface ScriptLook extends ProcessInLook {
  readonly modifiedAtS: number;
  readonly bytes: number;
  /** Hostile. */
  readonly path: string;
  /** Another file has its name by now; the shell reads this one to its end. */
  readonly isDeleted: boolean;
}

export interface EnvironmentLook {
  readonly pid: number;
  readonly borrowsSystem: boolean;
  /** Hostile. */
  readonly folder: string;
}

const SCRIPT = /^(\d{1,10}) (\d{1,15}) (\d{1,12}) (\d{1,18}) \d{1,20} (\d{1,9}) (\/.*)$/;
const ENVIRONMENT = /^(\d{1,10}) (yes|no) (\/.*)$/;
const NAMES = ['WANDB_API_KEY', 'HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN'];
const MAX_CHARS = 500;
/** As many runs as a look tells of; of scripts it tells fewer. */
const MAX_TOLD = 12;

/** Which of the names it is asked for something says that it has. */
export function readNames(told: readonly string[]): readonly string[] {
  return NAMES.filter((name) => told.includes(name));
}

/** Reads the section `beside` of resources/onbox/patrol.sh. */
export function readBeside(text: string | null): BesideLook {
  const pairs = readPairs(text ?? '');
  const scripts = (pairs.get('script') ?? []).slice(0, MAX_TOLD);
  const torch = pairs.get('torch') ?? [];
  const pod = pairs.get('pod') ?? [];
  const upgrade = pairs.get('upgrade')?.[0] ?? 'unread';
  const environments = (pairs.get('env') ?? [])
    .slice(0, MAX_TOLD)
    .flatMap((line): readonly EnvironmentLook[] => {
      const [, pid, borrows, folder] = ENVIRONMENT.exec(line) ?? [];
      if (folder === undefined) return [];
      return [
        { pid: Number(pid), borrowsSystem: borrows === 'yes', folder: excerpt(folder, MAX_CHARS) },
      ];
    });
  return {
    scripts: scripts.flatMap((line) => readScript(line) ?? []),
    hasUnreadScript: scripts.some((line) => line.endsWith(' unread')),
    environments,
    torch:
      torch.length === 0 && upgrade === 'unread' && environments.length === 0
        ? null
        : torch
            .filter((folder) => folder.startsWith('/'))
            .slice(0, MAX_TOLD)
            .map((each) => excerpt(each, MAX_CHARS)),
    upgrade: upgrade === 'unread' ? null : excerpt(upgrade, MAX_CHARS),
    podNames: pod.includes('read') ? readNames(pod) : null,
  };
}

function readScript(line: string): ScriptLook | null {
  const [, pid, start, modified, bytes, links, path] = SCRIPT.exec(line) ?? [];
  const startTicks = whole(start);
  if (path === undefined || startTicks === null) return null;
  return {
    pid: Number(pid),
    startTicks,
    modifiedAtS: Number(modified),
    bytes: Number(bytes),
    path: excerpt(path, MAX_CHARS),
    isDeleted: links === '0',
  };
}
