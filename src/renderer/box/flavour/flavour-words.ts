import type { Fact, FlavourReport, NamedFact } from '../../../shared/boxes/flavour/report.ts';
import type { Tone } from '../../ui/glyph.tsx';

export interface FactRow {
  readonly label: string;
  /** Why a person may care. */
  readonly hint: string;
  readonly word: string;
  readonly tone: Tone;
  /** The box's own words or ours; or why it is unknown. */
  readonly because: string;
}

/** Every fact of a report in the words of the panel, in the order in which they matter. */
export function describeFacts(report: FlavourReport): readonly FactRow[] {
  return [
    rowOf('Commands', 'Readings, tools and launches are commands.', report.commands),
    rowOf('Terminals', 'Learnt from those that you open.', report.terminals),
    rowOf('Tunnels', 'Local ports that lead to the box.', report.tunnels),
    rowOf('SFTP', 'The file channel of SSH.', report.sftp),
    // Here a yes is what disturbs.
    rowOf('Prints on exec', 'Text around the output of commands.', report.noise, 'yes'),
    rowOf('Forced command', 'A wrapper before every command.', report.forcedCommand, 'neither'),
    nameOf('Login shell', 'What reads a command first.', report.loginShell),
    rowOf('bash', 'Many scripts ask for it.', report.bash, 'neither'),
    nameOf('Basic tools', 'Whose ls, df and find these are.', report.tools),
    rowOf('Login banner', 'Text that the server shows at login.', report.banner, 'neither'),
  ];
}

/** How many of the facts are not known; those that only a person's use can tell are not counted. */
export function countUnknown(report: FlavourReport): number {
  const untold = { ...report, terminals: report.commands };
  return describeFacts(untold).filter(
    ({ word, label }) => word === 'unknown' && label !== 'Terminals',
  ).length;
}

function rowOf(
  label: string,
  hint: string,
  fact: Fact,
  disturbs: 'yes' | 'no' | 'neither' = 'no',
): FactRow {
  if (fact.answer === 'unknown') return unknown(label, hint, fact.because);
  const { answer, clue } = fact;
  const tone = disturbs === 'neither' ? 'off' : answer === disturbs ? 'warn' : 'ok';
  return { label, hint, word: answer, tone, because: clue };
}

function nameOf(label: string, hint: string, fact: NamedFact): FactRow {
  if (fact.answer === 'unknown') return unknown(label, hint, fact.because);
  return { label, hint, word: fact.name, tone: 'off', because: fact.clue };
}

function unknown(label: string, hint: string, because: string): FactRow {
  return { label, hint, word: 'unknown', tone: 'unknown', because };
}
