import type { PullFile } from '../../shared/transfer/pull.ts';

/** What is larger is worth a command of its own, and goes on from where it was cut off. */
const SMALL_BYTES = 1024 * 1024;
/** What is sent again where many together were cut off. */
const MANY_BYTES = 32 * 1024 * 1024;
const MANY_FILES = 2000;
/** Fewer are as soon brought one by one. */
const LEAST_FILES = 8;

/** What is asked for by one command. */
export type Load =
  | { readonly kind: 'one'; readonly file: PullFile }
  | {
      readonly kind: 'many';
      readonly no: number;
      readonly files: readonly PullFile[];
    };

/**
 * Small files travel together, about as many bytes at a time; large ones by themselves, in their order among them. `firstBytes`: of the first
 * that travel together.
 */
export function loadsOf(files: readonly PullFile[], firstBytes = MANY_BYTES): Load[] {
  const loads: Load[] = [];
  let many: PullFile[] = [];
  let bytes = 0;
  let mostBytes = firstBytes;
  const close = (): void => {
    if (many.length >= LEAST_FILES) loads.push({ kind: 'many', no: loads.length, files: many });
    else loads.push(...many.map((file): Load => ({ kind: 'one', file })));
    [many, bytes, mostBytes] = [[], 0, MANY_BYTES];
  };
  for (const file of files) {
    // tar takes a backslash in a list for the beginning of something else.
    if (file.bytes > SMALL_BYTES || file.path.includes('\\')) {
      loads.push({ kind: 'one', file });
      continue;
    }
    many.push(file);
    bytes += file.bytes;
    if (many.length >= MANY_FILES || bytes >= mostBytes) close();
  }
  close();
  return loads;
}
