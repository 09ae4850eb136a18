/** The shapes in which nvidia-smi answers. */
export type NvidiaSmiForm =
  | 'csv'
  | 'details'
  | 'xml'
  | 'table'
  | 'list'
  | 'process-monitor'
  | 'device-monitor'
  | 'topology'
  | 'version';

/** Those that `read query` cannot read, and what to do instead, for people. */
export const unreadForms: Readonly<Partial<Record<NvidiaSmiForm, string>>> = {
  'device-monitor': 'This is a stream of `nvidia-smi dmon`: use `read dmon`.',
  topology: 'This is the matrix of `nvidia-smi topo -m`, which tells nothing of a card’s state.',
  version: 'This is the text of `nvidia-smi --version`, which tells nothing of a card’s state.',
};

// What stands in the first lines of each form decides; the first match wins.
const SIGNS: readonly (readonly [RegExp, Exclude<NvidiaSmiForm, 'csv'>])[] = [
  [/<!DOCTYPE nvidia_smi_log|<nvidia_smi_log>/, 'xml'],
  [/^#?[ \t]*gpu[ \t]+pid[ \t]+type\b/m, 'process-monitor'],
  // With `--format csv` the names of its columns have commas between them, and a # in front that no other CSV has.
  [
    /^#?[ \t]*(?:(?:Date|Time)[ \t]+)*gpu[ \t]+\w+|^[ \t]*#[ \t]*(?:(?:Date|Time),[ \t]*)*gpu,[ \t]*(?!pid\b)\w+/m,
    'device-monitor',
  ],
  [/^GPU \d+: .*\(UUID: GPU-/m, 'list'],
  [/^NVIDIA-SMI version\s+:/m, 'version'],
  [/^[ \t]*(?:\x1b\[4m)?GPU0\s.*CPU Affinity|^Legend:$/m, 'topology'],
  [/^\+[-=+]{20,}\+|^\|(?: N\/A|ERR!|\s+\d+ ) .*\|$/m, 'table'],
  [/^ *[A-Z][\w ./()-]{0,80} : \S/m, 'details'],
];

const HEAD_CHARS = 8192;

/** CSV when nothing says otherwise. */
export function queryForm(text: string): NvidiaSmiForm {
  const head = text.slice(0, HEAD_CHARS);
  return SIGNS.find(([sign]) => sign.test(head))?.[1] ?? 'csv';
}
