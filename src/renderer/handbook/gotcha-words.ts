import type { GotchaRole, GotchaScope, GotchaTheme } from '../../shared/gotchas/gotcha.ts';

export const ROLE_WORDS: Readonly<Record<GotchaRole, string>> = {
  detector: 'To notice',
  guard: 'To prevent',
  preflight: 'Before a launch',
  diagnosis: 'To diagnose',
  teardown: 'Before teardown',
  advice: 'Advice',
};

export const ROLE_HINTS: Readonly<Record<GotchaRole, string>> = {
  detector: 'It shows on the box while it happens.',
  guard: 'What Leasehold does itself must not cause it.',
  preflight: 'It can be seen before a run is started.',
  diagnosis: 'Afterwards the cause has to be found.',
  teardown: 'It has to be looked at before a box is given back.',
  advice: 'Knowing it is what helps.',
};

export const SCOPE_WORDS: Readonly<Record<GotchaScope, string>> = {
  universal: 'Anywhere',
  'generic-ssh': 'Any rented machine',
  slurm: 'Slurm',
  kubernetes: 'Kubernetes',
  notebook: 'Colab and Kaggle',
  multinode: 'Several nodes',
  autodl: 'AutoDL',
  runpod: 'RunPod',
  vastai: 'vast.ai',
  lambda: 'Lambda',
  paperspace: 'Paperspace',
  china: 'Chinese platforms',
};

export const THEME_WORDS: Readonly<Record<GotchaTheme, string>> = {
  process: 'Runs and processes',
  scheduler: 'Schedulers',
  monitoring: 'Monitoring',
  gpu: 'GPUs',
  memory: 'Memory',
  dataloader: 'Loading data',
  disk: 'Disks',
  transfer: 'Transfers',
  cost: 'Costs',
  env: 'Environment',
  secrets: 'Secrets',
  network: 'Network',
  spot: 'Interruptions',
};

/** What stands in place of a command. */
const OTHER_PROBES: Readonly<Record<string, string>> = {
  log: 'In the run’s log',
  local: 'On your own machine',
  api: 'At the platform',
};

/** Null: it is a command for the box. */
export function probeWords(probe: string): string | null {
  return OTHER_PROBES[probe] ?? null;
}
