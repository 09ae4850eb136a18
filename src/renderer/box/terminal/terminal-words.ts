import type { LinkState } from '../../../shared/boxes/box.ts';
import type { TerminalState } from '../../../shared/terminal/terminal.ts';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import type { Tone } from '../../ui/glyph.tsx';
import { formatCount } from '../../ui/format.ts';
import type { NoteKind, TerminalTab } from './terminals-store.ts';

const MAX_TAB_CHARS = 28;

export function nameOf({ name, session, number }: TerminalTab): string {
  if (name !== null) return name;
  return session === null ? `Shell ${number}` : shownName(session.name);
}

/** A session's name as the box wrote it, with what is hidden in it made visible. */
export function shownName(name: string): string {
  const shown = Array.from(showHidden(name));
  return shown.length <= MAX_TAB_CHARS
    ? shown.join('')
    : `${shown.slice(0, MAX_TAB_CHARS - 1).join('')}…`;
}

export function toneOf(state: TerminalState): Tone {
  switch (state.kind) {
    case 'opening':
      return 'wait';
    case 'live':
      return 'ok';
    case 'lost':
      return 'warn';
    case 'ended':
      return state.because === 'exited' ? 'off' : 'warn';
  }
}

/** One word beside the tab's shape, for those who do not see it. */
export function wordOf(state: TerminalState): string {
  switch (state.kind) {
    case 'opening':
      return 'opening';
    case 'live':
      return 'live';
    case 'lost':
      return 'connection lost';
    case 'ended':
      return 'ended';
  }
}

export interface BannerWords {
  readonly tone: Tone;
  readonly title: string;
  readonly text: string;
  /** The button that opens it again, where that can be done. */
  readonly action: string | null;
}

/** What stands above the screen; null while all is well. */
export function bannerOf({ state, session }: TerminalTab, link: LinkState): BannerWords | null {
  const isUp = link.kind === 'up';
  switch (state.kind) {
    case 'opening':
    case 'live':
      return null;
    case 'lost':
      return {
        tone: 'warn',
        title: 'Connection lost',
        text: isReturning(link)
          ? 'The screen below is the last one. The tmux session goes on without you; Leasehold attaches to it as soon as the connection is back.'
          : 'The screen below is the last one. The tmux session goes on without you; connect to the box and Leasehold attaches to it.',
        action: null,
      };
    case 'ended':
      return {
        ...endedWords(state, session !== null),
        action: isUp ? (session === null ? 'New shell' : 'Attach again') : null,
      };
  }
}

function isReturning(link: LinkState): boolean {
  return link.kind === 'up' || link.kind === 'connecting' || link.kind === 'waiting';
}

function endedWords(
  state: Extract<TerminalState, { kind: 'ended' }>,
  isTmux: boolean,
): Omit<BannerWords, 'action'> {
  switch (state.because) {
    case 'link-lost':
      return {
        tone: 'warn',
        title: 'Connection lost, and this shell ended with it',
        text: 'What it ran in the foreground got a hang-up. A tmux session would have gone on.',
      };
    case 'exited':
      return isTmux
        ? { tone: 'off', title: 'Detached', text: 'You left the session, or it ended on the box.' }
        : { tone: 'off', title: 'This shell ended', text: exitText(state.code) };
    case 'failed':
      return { tone: 'warn', title: state.problem.message, text: state.problem.nextStep };
  }
}

function exitText(code: number | null): string {
  return code === null ? 'The box did not say with which code.' : `Exit code ${code}.`;
}

export function noteWords(kind: NoteKind, count: number): string {
  switch (kind) {
    case 'clipboard-write':
      return `The box tried to write to your clipboard (${formatCount(count, 'time')}). Refused.`;
    case 'clipboard-read':
      return `The box tried to read your clipboard (${formatCount(count, 'time')}). Not answered.`;
    case 'link':
      return `Shown as plain text: ${formatCount(count, 'link')} that did not lead to a web address.`;
    case 'answers':
      return `The box asked this terminal more than a program does: ${formatCount(count, 'question')} left unanswered.`;
    case 'input-refused':
      return `The box does not read its input: ${formatCount(count, 'byte')} not sent.`;
    case 'agent-lent':
      return 'Your SSH agent is lent to this box while a terminal is open: whoever has root there can use your keys. “Edit connection” ends that.';
    case 'agent-signed':
      return `The box had your SSH agent sign with your keys (${formatCount(count, 'time')}).`;
    case 'agent-denied':
      return `The box asked your SSH agent for more than to list its keys and sign (${formatCount(count, 'time')}). Refused.`;
    case 'agent-missing':
      return 'This box is to be lent your SSH agent, but none runs on this machine (SSH_AUTH_SOCK is not set).';
    case 'agent-refused':
      return 'The box does not take your SSH agent (AllowAgentForwarding no). This terminal works without it.';
    case 'paste-too-large':
      return 'Not pasted: this is more than 1 MB of text. Copy it to the box as a file instead.';
  }
}
