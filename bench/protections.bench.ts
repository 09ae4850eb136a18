// Whether the tests would notice a protection that is missing: each of `protections.ts` and `protections-in-node.ts` is taken out, one at a time, and an assertion
// of its test has to fail. In files that guard something that is every line that refuses, prevents or switches off; so a new such line without
// a test shows here.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { report } from './harness.ts';
import { noticedBy, withLine, type Mutant } from './mutants.ts';
import { tellNotice, type Notice } from './noticed.ts';
import { WIRE } from './protections-in-node.ts';
import { GUARDS } from './protections.ts';

/** A line that stands in somebody's way, and what takes it out. */
const WAYS: readonly (readonly [RegExp, (line: string) => string])[] = [
  [/^ +if \(.*\) (?:return|throw|\w+\(.*\);).*$/, () => ''],
  [/preventDefault\(\)/, (line) => line.replace(/\w+\.preventDefault\(\)/, 'undefined')],
  [/^ +[\w.[\]]+: false,$/, (line) => line.replace('false', 'true')],
  [/^ +[\w.[\]]+: true,$/, (line) => line.replace('true', 'false')],
  [/^ +"[a-z-]+ '[a-z]+'",$/, () => ''],
  [/=> false\b/, (line) => line.replace('=> false', '=> true')],
  [/ && /, withoutLastCondition],
];

/** Up to where what is around it goes on. */
function withoutLastCondition(line: string): string {
  const at = line.lastIndexOf(' && ');
  const rest = line.slice(at + 4);
  let depth = 0;
  const end = rest.split('').findIndex((char, place) => {
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    return depth < 0 || (depth === 0 && (';,'.includes(char) || rest.startsWith(' ?', place)));
  });
  return line.slice(0, at) + (end === -1 ? '' : rest.slice(end));
}

const textOf = (name: string): string =>
  readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

function mutantsOf(name: string): readonly Mutant[] {
  return textOf(name)
    .split('\n')
    .flatMap((line, at) => {
      const [, takeOut] = WAYS.find(([pattern]) => pattern.test(line)) ?? [];
      if (takeOut === undefined || line.trimStart().startsWith('*')) return [];
      const change = withLine(at, takeOut(line));
      return [{ name: `${name}:${String(at + 1)} ${line.trim()}`, file: name, change }];
    });
}

const missed: string[] = [];
let count = 0;
const only = process.env['PROTECTIONS_OF'];
const tell = (name: string, notice: Notice): void => {
  count += 1;
  if (notice.by === null) missed.push(name);
  process.stderr.write(`${tellNotice(name, notice)}\n`);
};
for (const [name, others] of Object.entries(GUARDS)) {
  if (only !== undefined && !name.includes(only)) continue;
  const tests = others.length > 0 ? others : [name.replace(/\.ts$/, '.test.ts')];
  for (const test of tests)
    if (!existsSync(new URL(`../${test}`, import.meta.url)))
      throw new Error(`${test} is not there`);
  for (const mutant of mutantsOf(name)) {
    tell(mutant.name, await noticedBy(mutant, tests));
  }
}
for (const { name, file, find, without, spec } of WIRE) {
  if (only !== undefined && !file.includes(only)) continue;
  const change = (text: string): string => text.replace(new RegExp(find.source, 's'), without);
  tell(`${file}: ${name}`, await noticedBy({ name, file, change }, [spec]));
}
const script = fileURLToPath(new URL('../scripts/without-protection.mjs', import.meta.url));
const built = spawn(process.execPath, [script, ...(only === undefined ? [] : [only])], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(built, 'exit');
for await (const line of createInterface({ input: built.stdout })) {
  // Playwright's own lines stand between.
  if (!line.startsWith('{')) continue;
  const { name, notice } = JSON.parse(line) as { name: string; notice: Notice };
  tell(name, notice);
}
if ((await ended)[0] !== 0) throw new Error('the built app was not looked at to the end');
report({
  name: 'protections',
  rows: [
    { measure: 'protections taken out, one at a time', value: count, unit: 'mutants' },
    {
      measure: `that no test notices${missed.map((name) => `; ${name}`).join('')}`,
      ...{ value: missed.length, unit: 'mutants', goal: 'none', isMet: missed.length === 0 },
    },
  ],
});
