import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { markStartAndEnd } from '../../shared/boxes/any-shell.ts';
import { ok } from '../../shared/result.ts';
import { END_LINE, MarkSplitter } from '../ssh/mark-splitter.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { OnboxScripts, type OnboxScript } from './onbox-scripts.ts';
import { BOX_SHELLS, onboxScripts } from './onbox-scripts.fixture.ts';

const ONBOX = join(import.meta.dirname, '../../../resources/onbox');
const SHIPPED = readdirSync(ONBOX).filter((name) => name.endsWith('.sh')) as OnboxScript[];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-scripts-'));
  mkdirSync(join(folder, 'parts'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('puts a part in place of the line that names it', async () => {
  writeFileSync(join(folder, 'gpu-facts.sh'), 'one\n. ./parts/shared.sh\nthree $& $1\n');
  writeFileSync(join(folder, 'parts/shared.sh'), "echo 'two $& $1'\n");
  const scripts = new OnboxScripts(folder);
  expect(await scripts.textOf('gpu-facts.sh')).toBe("one\necho 'two $& $1'\nthree $& $1\n");
});

it('sends with each script every function that it calls', async () => {
  const DEFINED = /^\s*([a-z_]+)\(\)/gm;
  const parts = readdirSync(join(ONBOX, 'parts')).map((name) =>
    readFileSync(join(ONBOX, 'parts', name), 'utf8'),
  );
  const known = new Set(
    parts.flatMap((text) => [...text.matchAll(DEFINED)].map(([, name]) => name)),
  );
  expect(known).toContain('why_not');
  for (const script of SHIPPED) {
    const text = (await onboxScripts.textOf(script))
      .replace(/(?:^|\s)#.*$/gm, '')
      .replace(/\$\(\([^)]*\)\)/g, '0');
    const own = new Set([...text.matchAll(DEFINED)].map(([, name]) => name));
    const called = [
      ...text.matchAll(
        /(?:^|[;|&{(!]|\$\(|\bthen|\bdo|\belse|\bif|\buntil|\bwhile)\s*([a-z_]+)(?=[\s;)])/gm,
      ),
    ];
    const missing = called.flatMap(([, name = '']) =>
      known.has(name) && !own.has(name) ? name : [],
    );
    expect([script, ...new Set(missing)]).toEqual([script]);
  }
});

it('sends no comment and no indentation, and every other line as it is', async () => {
  const text = '#!/bin/sh\n# why\nif a; then\n\n  # so\n  b "$#" # c\n\td\nfi\n';
  writeFileSync(join(folder, 'gpu-facts.sh'), text);
  const sent = await new OnboxScripts(folder).textOf('gpu-facts.sh');
  expect(sent).toBe('if a; then\nb "$#" # c\nd\nfi\n');
});

it('keeps the explanations of what a script writes into a file on the box', async () => {
  const file = "cat >file <<'FILE'\n#!/bin/sh\n# Who put this here.\n\n  exit 0\nFILE\n";
  writeFileSync(
    join(folder, 'gpu-facts.sh'),
    `# For readers here.\n  ${file}  # And this.\n  true\n`,
  );
  expect(await new OnboxScripts(folder).textOf('gpu-facts.sh')).toBe(`${file}true\n`);
});

it('does not send a script whose part is missing', async () => {
  writeFileSync(join(folder, 'gpu-facts.sh'), '. ./parts/shared.sh\n');
  await expect(new OnboxScripts(folder).textOf('gpu-facts.sh')).rejects.toThrow('shared.sh');
});

it.each(SHIPPED)('sends %s whole: a box has no file to read more of it from', async (script) => {
  const text = await onboxScripts.textOf(script);
  // But for what the launch of a run has written into its folder there.
  expect(text.replace(/^\s*\. \.\/environment$/m, '')).not.toMatch(/^\s*(?:\.|source)\s/m);
  for (const { shell } of BOX_SHELLS.filter(({ isInstalled }) => isInstalled)) {
    const [command, ...args] = shell;
    expect(spawnSync(command, [...args, '-n'], { input: text, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  }
});

const MARK = 'mark-0123456789';

interface Around {
  /** What stands on its stdin behind it; null: nothing can. */
  readonly rest?: string;
  /** What the box has as its `head`; absent: what is installed here. */
  readonly head?: string;
}

/** Runs a script as a connection does, in a box whose `sh` is this shell; its output, and its exit code as the box said it. */
async function runAs(shell: readonly string[], text: string, { rest, head }: Around = {}) {
  const [command = ''] = shell;
  const bin = join(folder, `bin-${shell.join('-')}`);
  mkdirSync(bin, { recursive: true });
  if (head !== undefined) writeFileSync(join(bin, 'head'), head, { mode: 0o755 });
  const real = spawnSync('sh', ['-c', 'command -v "$0"', command], { encoding: 'utf8' });
  symlinkSync(real.stdout.trim(), join(bin, 'sh'));
  writeFileSync(join(folder, 'gpu-facts.sh'), text);
  let stdout = '';
  const scripts = new OnboxScripts(folder);
  const box: Pick<SshConnection, 'run'> = {
    run: (line, options) => {
      ({ stdout } = spawnSync('/bin/bash', ['-c', markStartAndEnd(line, MARK)], {
        input: options?.input ?? '',
        encoding: 'utf8',
        env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` },
      }));
      return Promise.resolve(ok({ stdout: '', stderr: '', end: { kind: 'exited', code: 0 } }));
    },
  };
  const values = { LEASEHOLD_A: "it's $HOME `a` \\n", LEASEHOLD_B: '' };
  const ran = await (rest === undefined
    ? scripts.run(box, 'gpu-facts.sh', values)
    : scripts.runWithInput(box, 'gpu-facts.sh', values, rest));
  expect(ran.ok).toBe(true);
  const { before, found } = new MarkSplitter(MARK, END_LINE).push(
    Buffer.from(stdout.replace(`${MARK}\n`, '')),
  );
  return { stdout: before.toString(), code: Number(found?.value), after: found?.rest.toString() };
}

it('of a patrol does not ask for its own number, so that a bash reads it at once', async () => {
  expect(await onboxScripts.textOf('patrol.sh')).not.toContain('$$');
});

describe.each(BOX_SHELLS)('a script that $name reads', ({ shell, isInstalled }) => {
  it.skipIf(!isInstalled)(
    'has its values, no arguments, nothing on its stdin and its own exit code, however long it is',
    async () => {
      const text = `printf '%s|%s|%s\\n' "$LEASEHOLD_A" "$LEASEHOLD_B" "$#"
${': a line that does nothing\n'.repeat(9000)}cat
f() { exit 7; }
cat <<END
$(printf 'a part')
END
f
echo not here
`;
      expect(await runAs(shell, text)).toMatchObject({
        stdout: "it's $HOME `a` \\n||0\na part\n",
        code: 7,
      });
    },
  );

  it.skipIf(!isInstalled).each([
    {
      box: 'has GNU’s head, which takes it in one piece',
      head: `#!/bin/sh\necho "$1" >>"\${0%/*}/asked"\nexec /usr/bin/head "$@"\n`,
      takesIt: true,
    },
    {
      box: 'has a head that takes more than it is told',
      head: `#!/bin/sh\necho "$1" >>"\${0%/*}/asked"\n[ "$1" = -c ] && exec cat\necho BusyBox\n`,
      takesIt: false,
    },
  ])('is whole, and so is what stands behind it, where the box $box', async ({ head, takesIt }) => {
    const text = `printf 'é|%s|' "$LEASEHOLD_A"\n${': é\n'.repeat(2000)}\ncat\n`;
    const ran = await runAs(shell, text, { head, rest: 'one\n\ntwo' });
    expect(ran).toMatchObject({ stdout: "é|it's $HOME `a` \\n|one\n\ntwo", code: 0 });
    const bin = join(folder, `bin-${shell.join('-')}`);
    expect(readFileSync(join(bin, 'asked'), 'utf8').includes('-c\n')).toBe(takesIt);
  });

  it.skipIf(!isInstalled)('is told its own number', async () => {
    const own = await runAs(shell, 'echo "$$"; read -r pid rest </proc/self/stat; echo "$pid"\n');
    const [said, real] = own.stdout.split('\n');
    expect(said).toBe(real);
    expect(Number(said)).toBeGreaterThan(0);
  });
});
