import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ctime, MONTHS } from './gpu/driver-table.ts';

export type KernelLevel = 'err' | 'warn' | 'info';

/** The box's kernel log, which dmesg and journalctl print. Each line is stored with its time in every form they may be asked for. */
export class KernelLog {
  readonly #path: string;
  #bootedAtMs = 0;

  constructor(sysFolder: string) {
    this.#path = join(sysFolder, 'kmsg.tsv');
  }

  /** A new boot: an empty ring buffer with the first lines of this one. */
  async restart(bootedAtMs: number): Promise<void> {
    this.#bootedAtMs = bootedAtMs;
    await writeFile(this.#path, '');
    await this.write('info', ['Linux version (demo box: this log is simulated)'], bootedAtMs);
  }

  async write(level: KernelLevel, texts: readonly string[], nowMs = Date.now()): Promise<void> {
    const lines = texts.map((text, place) => {
      const sinceBoot = Math.max(0, nowMs - this.#bootedAtMs) / 1000 + place * 5e-6;
      const now = new Date(nowMs);
      const times = [ctime(now), isoTime(now, place), syslogTime(now)];
      return [sinceBoot.toFixed(6), 'kern', level, ...times, text].join('\t');
    });
    await appendFile(this.#path, `${lines.join('\n')}\n`);
  }
}

/** `2025-01-21T04:41:44,283302+00:00`, as `dmesg --time-format iso` prints it. */
function isoTime(now: Date, micros: number): string {
  const offset = -now.getTimezoneOffset();
  const local = new Date(now.getTime() + offset * 60_000).toISOString();
  const sign = offset < 0 ? '-' : '+';
  const zone = [Math.abs(offset) / 60, Math.abs(offset) % 60].map((part) => two(Math.floor(part)));
  const fraction = `${local.slice(20, 23)}${String(micros).padStart(3, '0')}`;
  return `${local.slice(0, 19)},${fraction}${sign}${zone.join(':')}`;
}

/** `Sep 09 12:24:31`, as the journal prints it. */
function syslogTime(now: Date): string {
  const clock = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(':');
  return `${MONTHS[now.getMonth()]} ${two(now.getDate())} ${clock}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
