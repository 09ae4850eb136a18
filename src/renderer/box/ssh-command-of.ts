import type { Box } from '../../shared/boxes/box.ts';

/** As a person would type it. Host and user were checked when the box was added; a path may need quotes. */
export function sshCommandOf({ address, login }: Pick<Box, 'address' | 'login'>): string {
  const { host, port, user } = address;
  return [
    'ssh',
    ...(port === 22 ? [] : ['-p', String(port)]),
    ...login.identityFiles.flatMap((file) => ['-i', quoted(file)]),
    `${user}@${host}`,
  ].join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
