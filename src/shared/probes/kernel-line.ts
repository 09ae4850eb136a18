/** When a kernel line was printed, as far as the line says it. */
export interface KernelLineTime {
  /** The time as printed, in whatever form; null: none. `dmesg -T` drifts after a suspend and is local time. */
  readonly prefixTime: string | null;
  /** Seconds since boot, where the line has them: better than any wall clock for telling two sources apart. */
  readonly uptimeS: number | null;
}

// Only what stands before the message is looked at, and not more than a collector's own words take.
const MAX_PREFIX_CHARS = 400;

/** A record of `/dev/kmsg`: level, number, microseconds since the boot. */
const RAW = /^\d{1,4},\d{1,12},(\d{1,15}),[^;]{0,60};/;
const UPTIME = /^.*\[ *(\d{1,12}\.\d{1,9})\]/; // the last one: a journal line has its own time before it
const PRINTED: readonly RegExp[] = [
  /\[ *(\+\d{1,12}\.\d{1,9})\]/, // dmesg -d and -e: seconds since the line before
  /\[(\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})\]/, // dmesg -T
  /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)/, // --time-format iso, rsyslog
  /\b(\w{3} [ \d]\d \d\d:\d\d:\d\d)\b/, // journal, syslog
];

/** `prefix` is all that stands in front of the kernel's own message. */
export function parseKernelLineTime(prefix: string): KernelLineTime {
  const near = prefix.slice(-MAX_PREFIX_CHARS);
  const raw = RAW.exec(prefix.slice(0, MAX_PREFIX_CHARS))?.[1];
  if (raw !== undefined) return { prefixTime: raw, uptimeS: Number(raw) / 1e6 };
  const uptime = UPTIME.exec(near)?.[1];
  if (uptime !== undefined) return { prefixTime: uptime, uptimeS: Number(uptime) };
  for (const form of PRINTED) {
    const printed = form.exec(near)?.[1];
    if (printed !== undefined) return { prefixTime: printed, uptimeS: null };
  }
  return { prefixTime: null, uptimeS: null };
}

/** A text with a line of the kernel in it, whatever that says: dmesg in its forms, `dmesg -T` and `-x` among them, a syslog. */
export const KERNEL_LINE =
  /^(?:\[ *\d+\.\d{6}\] |\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}\] |kern +:|dmesg: )|\bkernel: /m;

/** What the kernel prints first. A log without seconds since the boot reaches back to it where it begins with that. */
export const FIRST_WORDS = /(?:^|[\]:;] )(?:Linux version \d|Booting Linux on physical CPU )/;

const FIRST_UPTIME = /^(?:kern *:\w+ *: *|kernel: *|<\d{1,3}>)?\[ *(\d{1,12}\.\d{1,9})\]/;

/** Seconds since boot of any kernel line, whatever its message is; null: the line does not say. */
export function parseUptimeOfLine(line: string): number | null {
  const raw = RAW.exec(line.slice(0, MAX_PREFIX_CHARS))?.[1];
  if (raw !== undefined) return Number(raw) / 1e6;
  const uptime = FIRST_UPTIME.exec(line)?.[1];
  return uptime === undefined ? null : Number(uptime);
}
