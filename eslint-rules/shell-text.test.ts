import { RuleTester } from 'eslint';
import { parser } from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import { mayCallShell } from './shell-calls.mjs';
import { shellText } from './shell-text.mjs';

RuleTester.describe = describe;
RuleTester.it = it;

const tester = new RuleTester({
  languageOptions: {
    parser,
    parserOptions: {
      projectService: { allowDefaultProject: ['*.ts'] },
      tsconfigRootDir: import.meta.dirname,
    },
  },
});

const BOX = `
interface Options { command?: string; input?: string }
interface SshConnection {
  run(command: string, options?: Options): void;
  start(command: string): void;
  openTerminal(options: Options): void;
}
declare const box: SshConnection;
declare const run: Pick<SshConnection, 'run'>;
declare function read(): string;
`;
const value = [{ messageId: 'value' }];
const code = (text: string) => ({ code: `${BOX}${text}`, filename: 'sample.ts' });

const WRONG = [
  'box.run(`rm ${read()}`);',
  `box.run('rm ' + read());`,
  'box.run(read());',
  'const path = read(); box.start(`cat ${path}`);',
  `let command = 'true'; command = read(); box.run(command);`,
  'function remove(path: string) { box.run(path); }',
  'function remove(path: string) { const text = `rm ${path}`; box.run(text); }',
  `box.run(['rm', read()].join(' '));`,
  `box.run('rm X'.replace('X', read()));`,
  'box.openTerminal({ command: `attach ${read()}` });',
  'box.openTerminal({ ...(read() === "" && { command: read() }) });',
  `box.run('exec sh -s', { input: read() });`,
  // By other names.
  'const { run: go } = { run: box }; go.run(`rm ${read()}`);',
  'run.run(`rm ${read()}`);',
  'box?.run(`rm ${read()}`);',
  `box['run'](read());`,
];

tester.run('shell-text', shellText, {
  valid: [
    `box.run('uname -a');`,
    `const LOOK = ['cd || exit 20', 'IFS= read -r key'].join('; '); box.run(LOOK, { input: read() });`,
    `const MARK = 'x'; const ECHO = \`echo \${MARK}\`; box.start(\`\${ECHO} && \` + 'true');`,
    `const LIST = ['a', 'b'] as const; for (const each of LIST) box.run(\`test \${each}\`);`,
    `box.run(Math.random() > 0.5 ? 'true' : 'false');`,
    `box.openTerminal({ command: 'exec tmux' }); box.openTerminal({ ...(read() === '' && { input: read() }) });`,
    `box.run('exec sh -s', { input: 'true' });`,
    '// shell-text: a number by its schema\nbox.run(`kill ${read()}`);',
    // What is no connection to a box.
    `interface Sql { run(text: string): void } declare const sql: Sql; sql.run(\`DELETE FROM \${read()}\`);`,
    `const texts = new RegExp(read()); texts.exec(read());`,
  ].map(code),
  invalid: WRONG.map((text) => ({ ...code(text), errors: value })).concat({
    ...code("// shell-text: a number by its schema\nbox.run('true');"),
    errors: [{ messageId: 'needless' }],
  }),
});

it.each([
  ...WRONG,
  '(box.run)(read());',
  'box.run?.(read());',
  '// shell-text: a number by its schema',
])('is asked of a file with %s', (text) => expect(mayCallShell(text)).toBe(true));

it('is not asked of a file that only has such names', () => {
  expect(mayCallShell("import { run } from './run.ts'; const runs = [run]; start = runs[0];")).toBe(
    false,
  );
});
