import {
  FIRST_WORDS,
  parseKernelLineTime,
  parseUptimeOfLine,
  type KernelLineTime,
} from './kernel-line.ts';
import { LineSplitter } from './line-splitter.ts';
import { normalPciAddress } from './pci-address.ts';
import { excerpt, UnreadableLines, type ProbeOutput } from './probe-output.ts';
import { classifyXid, recoveryAction, type RecoveryAction, type XidClass } from './xid-classes.ts';

/** The second is for boxes that close the first to ordinary users; both are usually closed in a rented container. */
export const KERNEL_LOG_COMMANDS = ['dmesg', 'journalctl -k -b --no-pager'] as const;

interface KernelEvent extends KernelLineTime {
  /** The original line, or lines joined by a newline, as a clue. */
  readonly line: string;
}

export interface XidEvent extends KernelEvent {
  readonly kind: 'xid';
  /** As `normalPciAddress` writes it. */
  readonly address: string;
  /** Under MIG: which GPU instance and compute instance. */
  readonly gpuInstance: string | null;
  readonly computeInstance: string | null;
  readonly code: number;
  /** In a container the host's number. */
  readonly pid: number | null;
  /** Cut by the kernel at 15 characters. */
  readonly processName: string | null;
  readonly text: string;
  readonly class: XidClass;
  /** Of an Xid 154: the action before and the one that is asked for now. */
  readonly recoveryFrom: RecoveryAction | null;
  readonly recoveryTo: RecoveryAction | null;
}

/** NVSwitch codes: another number space. A fatal one concerns the whole box. */
export interface SxidEvent extends KernelEvent {
  readonly kind: 'sxid';
  readonly switchName: string;
  readonly address: string;
  readonly code: number;
  /** Null: a further line of the same report that does not say. */
  readonly isFatal: boolean | null;
  readonly text: string;
}

/** A card that is gone, told without an Xid. */
export interface GpuLossEvent extends KernelEvent {
  readonly kind: 'loss';
  readonly sign: 'fallen-off-bus' | 'device-inaccessible' | 'gpu-is-lost';
  /** Null: the line names no card. */
  readonly address: string | null;
}

/** The driver could not start a card. */
export interface GpuInitFailedEvent extends KernelEvent {
  readonly kind: 'init-failed';
  readonly address: string | null;
}

export type KernelGpuEvent = XidEvent | SxidEvent | GpuLossEvent | GpuInitFailedEvent;

/** Silence is "clear" only when the log could be read and reaches back to the boot. */
export type KernelLogOutcome =
  | { readonly kind: 'found' }
  | { readonly kind: 'clear' }
  | { readonly kind: 'cannot-rule-out'; readonly because: string };

/** `rows` are the first events; `rowCount` counts all. */
export interface KernelLogOutput extends ProbeOutput<KernelGpuEvent> {
  readonly rowCount: number;
  readonly unreadableCount: number;
  readonly lineCount: number;
  /** Which card is at which address, where the log tells: address → GPU UUID. */
  readonly uuids: Readonly<Record<string, string>>;
  readonly outcome: KernelLogOutcome;
}

/** One storm of a broken card can print thousands of lines; the first ones name the cause. */
const MAX_EVENTS_KEPT = 10_000;
const MAX_CARDS = 256;
const MAX_CLUE_CHARS = 1000;
/** The kernel cuts its lines near 1,000; longer ones are not looked into, and are named as unreadable. */
const MAX_KERNEL_LINE_CHARS = 4096;
/** The kernel's first lines come within a second or so; a ring buffer that lost them starts later. */
const NEAR_BOOT_S = 60;

const ADDRESS = '[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}(?:\\.[0-7])?';
// Very old drivers leave out "PCI:". Cloud machines have domains other than 0000 and devices other than 00.
const XID = new RegExp(
  // linear-regexp: what follows the blanks takes anything, so nothing is tried twice
  `NVRM: Xid \\((?:PCI:)?(${ADDRESS})(?: GPU-I:(\\w+))?(?: GPU-CI:(\\w+))?\\): (\\d{1,6})\\b,?\\s*(.*)$`,
  'i',
);
const SXID = new RegExp(
  // linear-regexp: the same
  `(nvidia-nvswitch\\d+): SXid \\((?:PCI:)?(${ADDRESS})\\): (\\d{1,6})\\b,?\\s*(.*)$`,
  'i',
);
const ANY_ADDRESS = new RegExp(`\\b(${ADDRESS})`, 'i');
const CARD_UUID = new RegExp(`NVRM: GPU at PCI:(${ADDRESS}): (GPU-[0-9a-f-]{36})`, 'i');
const RECOVERY = /recovery action changed from 0x([0-9a-f]{1,8})\b.* to 0x([0-9a-f]+)/i;
const SPEAKS_OF_XID = /NVRM: Xid|\bSXid \(/i;
/** dmesg's own words, in whatever language, and the journal's. */
const DENIED = /^(?:dmesg: |No journal files were opened due to insufficient permissions)/;
/** What the journal says around its lines: where they begin, where a boot does. */
const JOURNAL_NOTE =
  /^-- .{0,200} --$|^Hint: You are currently not seeing messages from other users/;
/** `dmesg --color` puts its colours inside of the words that are looked for. */
const COLOURS = /\x1b\[[\d;]{0,20}m/g;

/** Reads a kernel log in pieces cut anywhere; `KERNEL_LOG_COMMANDS`, a log file and a collector's excerpt all will do. */
export class XidReader {
  readonly #lines = new LineSplitter((line, isCut) => this.#read(line, isCut));
  readonly #rows: KernelGpuEvent[] = [];
  readonly #unreadable = new UnreadableLines();
  readonly #uuids = new Map<string, string>();
  #rowCount = 0;
  #lineCount = 0;
  #startUptimeS: number | null = null;
  #isDenied = false;
  /** The first lines of a loss that is told in three. */
  #open: readonly string[] = [];

  push(chunk: string): void {
    this.#lines.push(chunk);
  }

  end(): KernelLogOutput {
    this.#lines.end();
    return {
      rows: this.#rows,
      rowCount: this.#rowCount,
      unreadable: this.#unreadable.lines,
      unreadableCount: this.#unreadable.count,
      lineCount: this.#lineCount,
      uuids: Object.fromEntries(this.#uuids),
      outcome: this.#outcome(),
    };
  }

  #read(printed: string, isCut: boolean): void {
    const line = isCut ? printed : printed.replace(COLOURS, '');
    if (line.trim() === '' || JOURNAL_NOTE.test(line)) return;
    const isDenied = DENIED.test(line);
    this.#isDenied ||= isDenied;
    if (isDenied || isCut || line.length > MAX_KERNEL_LINE_CHARS) {
      this.#unreadable.add(line);
      return;
    }
    if (this.#lineCount === 0) {
      this.#startUptimeS = parseUptimeOfLine(line) ?? (FIRST_WORDS.test(line) ? 0 : null);
    }
    this.#lineCount += 1;
    const event = parseXid(line) ?? parseSxid(line);
    if (event !== null) this.#add(event);
    else if (SPEAKS_OF_XID.test(line)) this.#unreadable.add(line);
    else this.#readWithoutXid(line);
  }

  #readWithoutXid(line: string): void {
    const [, address, uuid] = CARD_UUID.exec(line) ?? [];
    if (address !== undefined && uuid !== undefined) {
      if (this.#uuids.size < MAX_CARDS) this.#uuids.set(normalPciAddress(address) ?? address, uuid);
      return;
    }
    // "The NVIDIA GPU <address>" / "(PCI ID: …) installed in this system has" / "fallen off the bus and is not …"
    if (/NVRM: The NVIDIA GPU /.test(line)) this.#open = [line];
    else if (/NVRM: \(PCI ID: .* installed in this system has/.test(line)) {
      this.#open = [...this.#open.slice(0, 1), line];
    } else {
      const event = parseLoss(line, this.#open) ?? parseInitFailed(line);
      if (event === null) return;
      this.#open = [];
      this.#add(event);
    }
  }

  #add(event: KernelGpuEvent): void {
    this.#rowCount += 1;
    if (this.#rows.length < MAX_EVENTS_KEPT) this.#rows.push(event);
  }

  #outcome(): KernelLogOutcome {
    if (this.#rowCount > 0) return { kind: 'found' };
    const because = this.#whyNotClear();
    return because === null ? { kind: 'clear' } : { kind: 'cannot-rule-out', because };
  }

  #whyNotClear(): string | null {
    if (this.#isDenied) return 'the kernel log is closed to this user';
    if (this.#unreadable.count > 0) return 'some lines could not be read';
    if (this.#lineCount === 0) return 'the log is empty';
    if (this.#startUptimeS === null)
      return 'the log does not say whether it reaches back to the boot';
    if (this.#startUptimeS <= NEAR_BOOT_S) return null;
    return `the log begins ${Math.round(this.#startUptimeS)} s after the boot; what came before is gone`;
  }
}

/** A whole recorded text. */
export function parseKernelLog(text: string): KernelLogOutput {
  const reader = new XidReader();
  reader.push(text);
  return reader.end();
}

function parseXid(line: string): XidEvent | null {
  const match = XID.exec(line);
  const [, address, gpuInstance, computeInstance, code, rest] = match ?? [];
  if (match === null || address === undefined || code === undefined) return null;
  const { pid, processName, text } = parseProcess(rest ?? '');
  const [, from, to] = RECOVERY.exec(text) ?? [];
  const recoveryTo = to === undefined ? null : recoveryAction(parseInt(to, 16));
  return {
    kind: 'xid',
    address: normalPciAddress(address) ?? address,
    gpuInstance: gpuInstance ?? null,
    computeInstance: computeInstance ?? null,
    code: Number(code),
    pid,
    processName,
    text: excerpt(text, MAX_CLUE_CHARS),
    class: classifyXid({ code: Number(code), text, recoveryTo }),
    recoveryFrom: from === undefined ? null : recoveryAction(parseInt(from, 16)),
    recoveryTo,
    ...seenIn(line, match.index),
  };
}

const PID = /^pid=(?:(\d{1,10})|'?<[^>]*>'?)\s*(?:,\s*|$)/;

/** `pid=…` and `name=…` in front of the text; either may be absent. A name may hold blanks, dots and colons. */
function parseProcess(rest: string): Pick<XidEvent, 'pid' | 'processName' | 'text'> {
  const pid = PID.exec(rest);
  const afterPid = pid === null ? rest : rest.slice(pid[0].length);
  const number = pid?.[1] === undefined ? null : Number(pid[1]);
  if (!afterPid.startsWith('name=')) {
    return { pid: number, processName: null, text: afterPid.trim() };
  }
  const spaced = afterPid.search(/,\s/);
  const comma = spaced >= 0 ? spaced : afterPid.indexOf(',');
  const name = afterPid.slice('name='.length, comma < 0 ? undefined : comma).trim();
  return {
    pid: number,
    processName: name === '' || name === '<unknown>' ? null : excerpt(name),
    text: comma < 0 ? '' : afterPid.slice(comma + 1).trim(),
  };
}

function parseSxid(line: string): SxidEvent | null {
  const match = SXID.exec(line);
  const [, switchName, address, code, text] = match ?? [];
  if (match === null || switchName === undefined || address === undefined) return null;
  return {
    kind: 'sxid',
    switchName,
    address: normalPciAddress(address) ?? address,
    code: Number(code),
    isFatal: /^Fatal\b/i.test(text ?? '') ? true : /^Non-?fatal\b/i.test(text ?? '') ? false : null,
    text: excerpt((text ?? '').trim(), MAX_CLUE_CHARS),
    ...seenIn(line, match.index),
  };
}

const LOSS_SIGNS: readonly (readonly [RegExp, GpuLossEvent['sign']])[] = [
  [/NVRM: .*fallen off the bus/i, 'fallen-off-bus'],
  [/: Unable to change power state from \S+ to D0, device inaccessible/i, 'device-inaccessible'],
  [/\bNV_ERR_GPU_IS_LOST\b/, 'gpu-is-lost'],
];

/** `before`: the first lines of a loss that is told in three; only its first line names the card. */
function parseLoss(line: string, before: readonly string[]): GpuLossEvent | null {
  for (const [form, sign] of LOSS_SIGNS) {
    const match = form.exec(line);
    if (match === null) continue;
    const lines = /NVRM: fallen off the bus/i.test(line) ? [...before, line] : [line];
    const address = ANY_ADDRESS.exec(lines[0] ?? line)?.[1];
    return {
      kind: 'loss',
      sign,
      address: address === undefined ? null : normalPciAddress(address),
      ...parseKernelLineTime(line.slice(0, match.index)),
      line: excerpt(lines.join('\n'), MAX_CLUE_CHARS),
    };
  }
  return null;
}

function parseInitFailed(line: string): GpuInitFailedEvent | null {
  const match = /NVRM: .*RmInitAdapter failed!/.exec(line);
  if (match === null) return null;
  const address = ANY_ADDRESS.exec(line)?.[1];
  return {
    kind: 'init-failed',
    address: address === undefined ? null : normalPciAddress(address),
    ...seenIn(line, match.index),
  };
}

function seenIn(line: string, messageAt: number): KernelEvent {
  return {
    ...parseKernelLineTime(line.slice(0, messageAt)),
    line: excerpt(line, MAX_CLUE_CHARS),
  };
}
