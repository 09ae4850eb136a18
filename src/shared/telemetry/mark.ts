import type { GpuKey } from './gpu-facts.ts';

/** Something that happened to a box at a time, for the axis of the charts. */
export type MarkKind =
  | 'xid'
  | 'sxid'
  | 'gpu-lost'
  | 'gpu-back'
  | 'gpu-reset'
  | 'link-lost'
  | 'link-back'
  | 'stream-failed'
  | 'stream-back'
  | 'reboot'
  | 'container-restart'
  | 'driver-change'
  | 'box-clock-jump'
  | 'local-clock-jump'
  | 'alert'
  | 'alert-over'
  | 'told';

export interface TelemetryMark {
  /** By this machine's clock. A kernel line is placed by its time since the boot where the box tells that. */
  readonly atMs: number;
  readonly kind: MarkKind;
  /** Null: it concerns the whole box. */
  readonly gpu: GpuKey | null;
  /** One short sentence for people. Parts of it may come from the box: whoever shows it escapes it. */
  readonly text: string;
  /** The number of an Xid or SXid. */
  readonly code: number | null;
  /** The line that says so, where there is one. Hostile. */
  readonly clue: string | null;
}

export const markWords: Readonly<Record<MarkKind, string>> = {
  xid: 'Xid',
  sxid: 'NVSwitch error',
  'gpu-lost': 'GPU lost',
  'gpu-back': 'GPU back',
  'gpu-reset': 'GPU reset',
  'link-lost': 'connection lost',
  'link-back': 'reconnected',
  'stream-failed': 'readings stopped',
  'stream-back': 'readings back',
  reboot: 'box rebooted',
  'container-restart': 'container restarted',
  'driver-change': 'driver changed',
  'box-clock-jump': 'box clock set',
  'local-clock-jump': 'this machine’s clock jumped',
  alert: 'alert',
  'alert-over': 'alert over',
  told: 'you were told',
};

/** That the person was told something of the box, and when. */
export function toldMark(text: string, atMs: number): TelemetryMark {
  return { kind: 'told', atMs, text, gpu: null, code: null, clue: null };
}
