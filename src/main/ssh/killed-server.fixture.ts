import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A tool of the box that a test put something in front of. `bin` of the home has to be first in the box's PATH. */
function wrap(home: string, tool: string, argument: string, body: (real: string) => string): void {
  const real = execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh
case "$*" in *${argument}*) ${body(real)} ;; esac
exec ${real} "$@"
`;
  writeFileSync(join(home, 'bin', tool), script, { mode: 0o755 });
}

/**
 * Once, the server's process of the connection dies when the box runs this tool with such an argument: after the tool
 * has done its work, or in its place.
 */
export function killServer(
  home: string,
  when: 'after' | 'instead',
  tool: string,
  argument: string,
): void {
  wrap(
    home,
    tool,
    argument,
    (real) => `
  rm ${home}/armed 2>/dev/null || exec ${real} "$@"
  ${when === 'after' ? `${real} "$@"` : ''}
  pid=$$
  while [ "$(ps -o comm= -p "$pid")" != sshd ]; do pid=$(ps -o ppid= -p "$pid" | tr -d ' '); done
  kill -9 "$pid"
  exit 1`,
  );
  writeFileSync(join(home, 'armed'), '');
}

/** From its `count`th such call on, the tool has made a file, whose path this returns. */
export function markCalls(home: string, tool: string, argument: string, count: number): string {
  const mark = join(home, `called-${tool}`);
  const calls = join(home, `calls-${tool}`);
  wrap(
    home,
    tool,
    argument,
    () => `echo x >>${calls}; [ "$(wc -l <${calls})" -lt ${String(count)} ] || : >${mark}`,
  );
  return mark;
}
