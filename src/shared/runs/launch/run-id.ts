/**
 * As `run-request-schema.ts` checks it. Its name tells when to the millisecond, so that a box lists its runs in order;
 * the nonce of five digits keeps apart what several apps make at once.
 */
export function makeRunId(atMs: number, nonce: string): string {
  const [day = '', time = ''] = new Date(atMs).toISOString().split('T');
  const ms = (atMs % 1000).toString(16).padStart(3, '0');
  return `r-${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${ms}${nonce}`;
}

const RUN_ID = /^r-\d{8}-\d{6}-[0-9a-f]{8}$/;
export const isRunId = (id: string): boolean => RUN_ID.test(id);

/** Where resources/onbox/parts/run-folder.sh has it. */
export function runFolder(home: string, id: string): string {
  return `${home.replace(/\/$/, '')}/.local/state/leasehold/runs/${id}`;
}

const LOG_OF_RUN =
  /\/\.local\/state\/leasehold\/runs\/(r-\d{8}-\d{6}-[0-9a-f]{8})\/(?:log|logs\/\d{1,7})$/;

/** The run whose folder holds that log, be it of a cell of its queue; null: no run that was launched writes there. */
export const runOfLog = (path: string): string | null => LOG_OF_RUN.exec(path)?.[1] ?? null;
