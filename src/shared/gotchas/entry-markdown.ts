import { ANSWER_WORDS, QUESTIONS } from './belongs.ts';
import type { EntryAnswers, Gotcha } from './gotcha.ts';

/** An entry as Markdown for a pull request: for people first, then as the YAML that the catalog takes. */
export function entryMarkdown(gotcha: Omit<Gotcha, 'alert' | 'coverage'>, yaml: string): string {
  const { title, severity, scope, theme, symptom, cause, fix, probes, signs } = gotcha;
  const { related, doubt, answers, incident } = gotcha;
  return [
    `# ${inline(title)}`,
    '',
    `Severity: ${severity}. Scope: ${scope}. Theme: ${theme}.`,
    ...part('Symptom', [inline(symptom)]),
    ...part('Cause', [inline(cause)]),
    ...part(
      'Fix',
      fix.map((step, i) => `${String(i + 1)}. ${inline(step)}`),
    ),
    ...part(
      'How to tell',
      probes.map(({ probe, means }) => `- ${code(probe)}: ${inline(means)}`),
    ),
    ...part(
      'What a log says',
      signs.map((sign) => `- ${code(sign)}`),
    ),
    ...part('Doubt', doubt === null ? [] : [inline(doubt)]),
    ...part('Related', related.length === 0 ? [] : [related.join(', ')]),
    ...part('Checked', answers === null ? [] : answerLines(answers)),
    ...part('Seen', incident === null ? [] : [fenced(incident, 'text')]),
    ...part('As an entry', [
      'The catalog gives it its id; `coverage` says what is done about it.',
      '',
      fenced(yaml.trimEnd(), 'yaml'),
    ]),
    '',
  ].join('\n');
}

function answerLines(answers: EntryAnswers): readonly string[] {
  const { rootCaused, reproduced, general } = answers;
  return [
    `- ${QUESTIONS.rootCaused.asks} ${ANSWER_WORDS.rootCaused[rootCaused]}`,
    `- ${QUESTIONS.reproduced.asks} ${ANSWER_WORDS.reproduced[reproduced]}`,
    `- ${QUESTIONS.general.asks} ${ANSWER_WORDS.general[general]}`,
  ];
}

function part(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines];
}

/** What a log said must not become a heading, a link, an image or a tag on the page where it is read. */
function inline(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').replace(/[\\`*_[\]<>#|~@]/g, '\\$&');
}

function code(text: string): string {
  const plain = text.replace(/\s*\n\s*/g, ' ');
  const fence = '`'.repeat(longestRun(plain) + 1);
  return plain.includes('`') ? `${fence} ${plain} ${fence}` : `${fence}${plain}${fence}`;
}

/** The fence is longer than any in the text, so that nothing in it can end it. */
function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
