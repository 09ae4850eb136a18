import { z } from 'zod';

/**
 * Four facts, one a line: the login shell's path, whether a forced command stands in between (sshd then sets
 * SSH_ORIGINAL_COMMAND), whether there is a bash, and whose `ls` this is by the first line of its help. It changes nothing.
 */
export const LOOK_COMMAND = [
  'echo "shell ${SHELL-}"',
  'echo "forced ${SSH_ORIGINAL_COMMAND+yes}"',
  'if command -v bash >/dev/null 2>&1; then echo "bash yes"; else echo "bash no"; fi',
  'echo "tools $(LC_ALL=C ls --help 2>&1 | head -n 1)"',
].join('; ');

/** SECURITY: a box's own words. What is not as expected is null, and so unknown. */
const lookOutput = z.object({
  shell: z
    .string()
    .regex(/^\/[\w.+/-]{1,200}$/)
    .nullable()
    .catch(null),
  forced: z.enum(['', 'yes']).nullable().catch(null),
  bash: z.enum(['yes', 'no']).nullable().catch(null),
  tools: z.string().max(200).nullable().catch(null),
});
export type LookOutput = Readonly<z.infer<typeof lookOutput>>;

export function parseLook(stdout: string): LookOutput {
  const said: Record<string, string> = {};
  for (const line of stdout.split(/\r?\n/).slice(0, 20)) {
    const [, name = '', value = ''] = /^(shell|forced|bash|tools) ?(.*)$/.exec(line) ?? [];
    if (name !== '') said[name] = value.trim();
  }
  const { shell = null, forced = null, bash = null, tools = null } = said;
  return lookOutput.parse({ shell, forced, bash, tools });
}
