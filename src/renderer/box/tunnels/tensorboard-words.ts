import type {
  TensorboardCause,
  TensorboardFix,
  TensorboardReport,
} from '../../../shared/tunnels/tensorboard.ts';
import type { Tone } from '../../ui/glyph.tsx';

interface FindingWords {
  readonly tone: Tone;
  readonly title: string;
  readonly text: string;
}

const WORDS: Readonly<Record<TensorboardCause, (report: TensorboardReport) => FindingWords>> = {
  'shows-runs': ({ serving }) => ({
    tone: 'ok',
    title: `It shows ${countRuns(serving?.runs ?? 0)}`,
    text: `It reads ${serving?.logdir ?? 'a folder that it does not name'} and answers on port ${serving?.port ?? '?'} of the box.`,
  }),
  'wrong-folder': ({ serving, eventFolders }) => ({
    tone: 'warn',
    title: 'It shows no runs because it reads another folder',
    text: `It reads ${serving?.logdir ?? 'a folder that it does not name'}; event files are in ${listFolders(eventFolders)}. Your run itself is fine.`,
  }),
  'no-events-yet': ({ serving, isSearchComplete }) => ({
    tone: 'wait',
    title: 'It shows no runs',
    text: isSearchComplete
      ? `It answers and reads ${serving?.logdir ?? 'a folder that it does not name'}. No event files were found outside of it; a run that has just begun shows up after the next reload, every 5 s by default.`
      : 'It answers. The search for event files was cut short, so there may be some in a folder that it does not read.',
  }),
  'not-running': ({ eventFolders }) => ({
    tone: 'off',
    title: 'No TensorBoard runs on the box',
    text:
      eventFolders.length === 0
        ? 'No event files were found in the home folder either. Name the log folder of your run to start one on it.'
        : `Event files are in ${listFolders(eventFolders)}.`,
  }),
  'not-reachable': ({ processes }) => ({
    tone: 'danger',
    title: 'TensorBoard runs but does not answer',
    text: `Process ${processes.map(({ pid }) => pid).join(', ')} is there; none of its ports answered. It may still be starting: look again in a moment.`,
  }),
  'forwarding-refused': () => ({
    tone: 'danger',
    title: 'The box does not allow a tunnel to TensorBoard',
    text: 'Whether it answers cannot be known from here. Use a port that the box allows (PermitOpen), or the platform’s own port mapping.',
  }),
  'runs-unknown': ({ serving }) => ({
    tone: 'unknown',
    title: 'It answers, but did not say which runs it shows',
    text: `What listens on port ${serving?.port ?? '?'} of the box gave no list of runs.`,
  }),
};

export function findingWords(report: TensorboardReport): FindingWords {
  return WORDS[report.finding.cause](report);
}

export function fixLabel(fix: TensorboardFix): string {
  switch (fix.kind) {
    case 'link':
      return `Link ${fix.from} into ${fix.into}`;
    case 'restart':
      return `Restart it on ${fix.logdir}`;
    case 'start':
      return `Start one on ${fix.logdir}, port ${fix.port}`;
  }
}

function countRuns(runs: number): string {
  return runs === 1 ? '1 run' : `${runs} runs`;
}

const SHOWN_FOLDERS = 2;

function listFolders(folders: readonly string[]): string {
  const shown = folders.slice(0, SHOWN_FOLDERS).join(' and ');
  const more = folders.length - SHOWN_FOLDERS;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
