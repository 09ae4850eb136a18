import { shellWord } from '../../shell-word.ts';
import { boxWord } from './job-script.ts';
import type { LaunchProfile } from './known-box.ts';
import type { RunRequest } from './run-request.ts';

/** What of a platform's profile goes into a run, and what of it does not. */
export interface ProfileSettings {
  /** The platform, as people call it. */
  readonly of: string;
  readonly used: readonly ProfileSetting[];
  readonly unused: readonly UnusedSetting[];
}

/** What the profile says and a run does without. */
export interface UnusedSetting {
  readonly name: string;
  /** In one sentence. */
  readonly because: string;
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

type SettingRequest = Pick<
  RunRequest,
  'name' | 'folder' | 'env' | 'activate' | 'command' | 'results' | 'tracker'
>;

/** Null: nobody said whose box it is, the request wants none of it, or the profile has nothing for a run. */
export function profileSettings(
  request: SettingRequest & Pick<RunRequest, 'profile'>,
  profile: Pick<LaunchProfile, 'name' | 'overrides'> | null,
): ProfileSettings | null {
  if (profile === null || request.profile === false) return null;
  const { extra, ...named } = profile.overrides;
  const said = Object.entries({ ...named, ...extra }).flatMap(([name, value]) =>
    value === null || value === '' ? [] : [[name, value] as const],
  );
  const used: ProfileSetting[] = [];
  const unused: UnusedSetting[] = [];
  for (const [name, value] of said) {
    const setting = settingOf(name, value, request);
    if (setting === 'own') continue;
    if (setting === null) unused.push({ name, because: BECAUSE[name] ?? FOR_PEOPLE });
    else used.push(setting);
  }
  return used.length === 0 && unused.length === 0 ? null : { of: profile.name, used, unused };
}

const FOR_PEOPLE = 'It is written for people, or names a place that only you know.';
const BECAUSE: Readonly<Record<string, string>> = {
  CRED_FILE:
    'A run takes keys by their names, from the files that “Send a secret…” writes for you alone.',
  DETACH:
    'A launch looks for tmux, setsid and nohup on the box itself, and takes the first of them.',
  SCRATCH: 'It names no folder but what may be lost: a request says that itself, as its scratch.',
};

/** "own": the request says it itself. */
function settingOf(
  name: string,
  value: string,
  request: SettingRequest,
): ProfileSetting | 'own' | null {
  if (name in request.env) return 'own';
  switch (name) {
    case 'PROXY_HOOK':
      return proxySetting(value, request);
    case 'HF_HOME':
      return cacheSetting(value, request.folder);
    case 'DATA_DIR':
    case 'DURABLE_DIR':
    case 'SCRATCH':
      return placeSetting(name, value, request.folder);
    case 'PY':
      return pythonSetting(value);
    case 'TB_LOGDIR':
      return eventsSetting(value, request);
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

/**
 * Where the image keeps its Python, at the end of the path: whatever the person's own environment has comes before it (AD6). Null:
 * the profile says no whole path.
 */
function pythonSetting(value: string): ProfileSetting | null {
  const file = profilePython(value);
  if (file === null) return null;
  const folder = file.slice(0, file.lastIndexOf('/'));
  const line = `export PATH="$PATH:${folder}"`;
  return {
    name: 'PY',
    what: `Programs are also looked for in ${folder}, at last`,
    line,
    probe: line,
  };
}

/** The interpreter that a profile names; null: none, or not as one whole path. */
export function profilePython(value: string | undefined): string | null {
  return /^\/[\w@%+=:,./-]{1,200}\/[\w.-]{1,60}$/.test(value ?? '') ? (value ?? null) : null;
}

/**
 * The platform's own TensorBoard reads one folder: the run's results are shown to it by a link in there, which replaces and removes
 * nothing (AD7).
 */
function eventsSetting(
  value: string,
  { name, folder, results, tracker = 'tensorboard' }: SettingRequest,
): ProfileSetting | null {
  const into = placeWord(value, folder);
  if (into === null || results === null || tracker !== 'tensorboard') return null;
  const link = `${into.word}/${linkName(name)}`;
  const from = boxWord(
    /^[/~]/.test(results) ? results : `${folder.replace(/\/+$/, '')}/${results}`,
  );
  return {
    name: 'TB_LOGDIR',
    what: `The TensorBoard of the platform shows the results, by the link ${into.shown}/${linkName(name)}`,
    line: `[ ! -d ${into.word} ] || [ -e ${link} ] || [ -L ${link} ] || ln -s -- ${from} ${link}`,
    probe: null,
  };
}

/** One name for one run's name, so that the same run launched again keeps its link. */
function linkName(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, '-').slice(0, 60);
  return /^[\w]/.test(plain) ? plain : `run${plain}`;
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
