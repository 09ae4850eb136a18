import { stepGate, type GateEvent, type GateState } from './gate.ts';
import { states, table } from './gate-cases.fixture.ts';
import { wordOf } from './gate.fixture.ts';

/** What happens, in a word or two; of each kind of event. */
const EVENTS: Readonly<Record<GateEvent['kind'], string>> = {
  inspected: 'a look',
  approve: 'a yes',
  withdraw: 'taken back',
  time: 'time',
  begin: 'begin',
  answered: 'answer to the order',
  resumed: 'found in the evidence',
  confirm: 'confirm',
  'called-off': 'called off',
  changed: 'work ended or something deleted',
  'begin-again': 'begin again',
};

const idOf = (word: string): string => word.replace(/\W+/g, '_');

function nextOf(state: GateState, event: GateEvent): string | null {
  const next = stepGate(state, event);
  return next.ok ? wordOf(next.value) : null;
}

/** The gate as `stepGate` has it, in Markdown: its states with what leads from one to another, and all that happens in each. */
export function gatePage(): string {
  const words = [...new Set(Object.values(states).map(wordOf))];
  const steps = new Map<string, Set<string>>();
  for (const [, event] of table) {
    for (const state of Object.values(states)) {
      const [from, to] = [wordOf(state), nextOf(state, event)];
      if (to === null || to === from) continue;
      const step = `${idOf(from)} --> ${idOf(to)}`;
      steps.set(step, (steps.get(step) ?? new Set()).add(EVENTS[event.kind]));
    }
  }
  return [
    '# The gate, state by state',
    '',
    'Written from `stepGate` (`src/shared/teardown/gate.ts`), which alone decides; a test fails when this page is not current, and',
    '`npx vitest run src/shared/teardown/gate.test.ts -u` writes it anew. Only a beginning, of a box that is _approved_, sets anything going.',
    '',
    '```mermaid',
    'stateDiagram-v2',
    ...words.map((word) => `  state "${word}" as ${idOf(word)}`),
    `  [*] --> ${idOf(words[0] ?? '')}`,
    ...[...steps].map(([step, kinds]) => `  ${step}: ${[...kinds].join(', ')}`),
    '```',
    '',
    `What each state makes of each event. “–”: refused, and nothing changes.`,
    '',
    `| event | ${words.join(' | ')} |`,
    `| --- |${' --- |'.repeat(words.length)}`,
    ...table.map(([name, event]) => {
      const cells = words.map((word) => {
        const state = Object.values(states).find((each) => wordOf(each) === word);
        return state === undefined ? '–' : (nextOf(state, event) ?? '–');
      });
      return `| ${[name, ...cells].join(' | ')} |`;
    }),
    '',
  ].join('\n');
}
