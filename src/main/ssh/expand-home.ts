import { homedir } from 'node:os';
import { join } from 'node:path';

/** `~/` is the home folder, as in ssh_config. */
export function expandHome(file: string): string {
  return file.startsWith('~/') ? join(homedir(), file.slice(2)) : file;
}
