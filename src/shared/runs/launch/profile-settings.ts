import { shellWord } from '../../shell-word.ts';
import type { LaunchProfile } from './known-box.ts';
import type { RunRequest } from './run-request.ts';

/** What of a platform's profile goes into a run, and what of it does not. */
export interface ProfileSettings {
  /** The platform, as people call it. */
  readonly of: string;
  readonly used: readonly ProfileSetting[];
  /** Names of what is meant for people: words, or a place that only they know. */
  readonly unused: readonly string[];
}

export interface ProfileSetting {
  readonly name: string;
  /** In a few words, for the plan. */
  readonly what: string;
  /** As it stands in job.sh. */
  readonly line: string;
  /** The same for a look before the launch, which changes nothing; null: it would change something, or says nothing there. */
  readonly probe: string | null;
}

/** Variables that the tools of a run read by themselves. */
const TOOL_VARIABLE = /^(?:HF|PIP|TORCH|UV|WANDB)_[A-Z0-9_]{1,60}$/;
const ONE_WORD = /^[\w@%+=:,./-]{1,300}$/;

/** Null: nobody said whose box it is, the request wants none of it, or the profile has nothing for a run. */
export function profileSettings(
  request: Pick<RunRequest, 'folder' | 'env' | 'activate' | 'command' | 'profile'>,
  profile: Pick<LaunchProfile, 'name' | 'overrides'> | null,
): ProfileSettings | null {
  if (profile === null || request.profile === false) return null;
  const { extra, ...named } = profile.overrides;
  const said = Object.entries({ ...named, ...extra }).flatMap(([name, value]) =>
    value === null || value === '' ? [] : [[name, value] as const],
  );
  const used: ProfileSetting[] = [];
  const unused: string[] = [];
  for (const [name, value] of said) {
    const setting = settingOf(name, value, request);
    if (setting === 'own') continue;
    if (setting === null) unused.push(name);
    else used.push(setting);
  }
  return used.length === 0 && unused.length === 0 ? null : { of: profile.name, used, unused };
}

/** "own": the request says it itself. */
function settingOf(
  name: string,
  value: string,
  request: Pick<RunRequest, 'folder' | 'env' | 'activate' | 'command'>,
): ProfileSetting | 'own' | null {
  if (name in request.env) return 'own';
  switch (name) {
    case 'PROXY_HOOK':
      return proxySetting(value, request);
    case 'HF_HOME':
      return cacheSetting(value, request.folder);
    case 'DATA_DIR':
    case 'DURABLE_DIR':
      return placeSetting(name, value, request.folder);
    default:
      return TOOL_VARIABLE.test(name) && ONE_WORD.test(value) ? variableSetting(name, value) : null;
  }
}

/** What the person's login files have set stays. */
function variableSetting(name: string, value: string): ProfileSetting {
  const line = `export ${name}="\${${name}:-${value}}"`;
  return { name, what: `${name} is ${value}, unless your login files set it`, line, probe: line };
}

function proxySetting(
  value: string,
  { activate, command }: Pick<RunRequest, 'activate' | 'command'>,
): ProfileSetting | 'own' | null {
  const file = hookFile(value);
  if (file === null) return null;
  if (`${activate ?? ''}\n${command}`.includes(file)) return 'own';
  const line = `[ ! -r ${shellWord(file)} ] || . ${shellWord(file)} >/dev/null 2>&1`;
  return { name: 'PROXY_HOOK', what: `The proxy of ${file}`, line, probe: line };
}

/** The file that a hook is; null: it is more than one file to source. */
export function hookFile(hook: string | null): string | null {
  return (
    /^(?:source|\.) (\/[\w./-]{1,200})(?: 2>\/dev\/null)?(?: \|\| true)?$/.exec(hook ?? '')?.[1] ??
    null
  );
}

/** Models that are there already are not fetched a second time into another place. */
function cacheSetting(value: string, folder: string): ProfileSetting | null {
  const place = placeWord(value, folder);
  if (place === null) return null;
  return {
    name: 'HF_HOME',
    what: `Models are kept in ${place.shown}, where neither you nor ~/.cache/huggingface says otherwise`,
    line: `[ -n "\${HF_HOME:-}" ] || [ -d "$HOME/.cache/huggingface/hub" ] || { mkdir -p -- ${place.word} 2>/dev/null && [ -w ${place.word} ] && export HF_HOME=${place.word}; }`,
    probe: null,
  };
}

function placeSetting(name: string, value: string, folder: string): ProfileSetting | null {
  const place = placeWord(value, folder);
  if (place === null) return null;
  const variable = `LEASEHOLD_${name}`;
  const line = `export ${variable}=${place.word}`;
  return { name, what: `${variable} is ${place.shown}`, line, probe: line };
}

/** One whole path for a shell; null: words, or a part that only the person knows ("proj"). "<project>" is the name of the folder. */
function placeWord(
  value: string,
  folder: string,
): { readonly word: string; readonly shown: string } | null {
  const project =
    folder
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? '';
  // What stands in brackets explains the path.
  const path = value
    .replace(/ \([^)]*\)$/, '')
    .replace(/^\$HOME(?=\/)/, '~')
    .replace('<project>', project);
  const isWhole = /^~?\/[\w@%+=:,./-]{1,300}$/.test(path) && !path.split('/').includes('proj');
  if (!isWhole || project === '~') return null;
  const word = path.startsWith('~/') ? `"$HOME"/${path.slice(2)}` : path;
  return { word, shown: path };
}
