import { create } from 'zustand';
import type { Severity } from '../../shared/detectors/finding.ts';
import type { GotchaRole, GotchaScope } from '../../shared/gotchas/gotcha.ts';
import { boundText } from '../../shared/gotchas/log-text.ts';

export interface HandbookFilter {
  readonly severity: Severity | null;
  readonly role: GotchaRole | null;
  readonly scope: GotchaScope | null;
  readonly isHandled: boolean;
  /** Only the person's own. */
  readonly isOwn: boolean;
}

/** A log or an error that the person pasted, which no line of input could show. */
export interface Pasted {
  readonly text: string;
  readonly lineCount: number;
  /** `text` is its beginning and its end. */
  readonly isCut: boolean;
}

interface HandbookView {
  readonly typed: string;
  readonly pasted: Pasted | null;
  readonly filter: HandbookFilter;
}

const NO_FILTER: HandbookFilter = {
  severity: null,
  role: null,
  scope: null,
  isHandled: false,
  isOwn: false,
};

/** What was searched last is still there when the person comes back. */
export const useHandbookView = create<HandbookView>(() => ({
  typed: '',
  pasted: null,
  filter: NO_FILTER,
}));

/** Shorter and on one line, it is words as somebody would type them. */
const MAX_LINE_CHARS = 160;

export function isLogText(text: string): boolean {
  return text.trim().includes('\n') || text.length > MAX_LINE_CHARS;
}

export function searchTyped(typed: string): void {
  useHandbookView.setState({ typed, pasted: null });
}

/** Megabytes are cut here already: the window keeps only what the search would read. */
export function logPasted(text: string): void {
  const lineCount = text.trimEnd().split('\n').length;
  useHandbookView.setState({ typed: '', pasted: { ...boundText(text), lineCount } });
}

export function searchCleared(): void {
  useHandbookView.setState({ typed: '', pasted: null });
}

export function filterChanged(part: Partial<HandbookFilter>): void {
  useHandbookView.setState(({ filter }) => ({ filter: { ...filter, ...part } }));
}

export function allCleared(): void {
  useHandbookView.setState({ typed: '', pasted: null, filter: NO_FILTER });
}

export function isFiltered({ severity, role, scope, isHandled, isOwn }: HandbookFilter): boolean {
  return severity !== null || role !== null || scope !== null || isHandled || isOwn;
}
