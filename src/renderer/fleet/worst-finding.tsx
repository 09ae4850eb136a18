import type { Finding } from '../../shared/detectors/finding.ts';
import { tabChosen } from '../state/view.ts';
import { classNames } from '../ui/class-names.ts';
import { Dash } from '../ui/figure.tsx';
import { Glyph } from '../ui/glyph.tsx';
import {
  countChecks,
  findingTooltip,
  SEVERITY_TONES,
  SEVERITY_WORDS,
  subjectWords,
} from './finding-words.ts';
import { useAwake } from './use-awake.ts';
import styles from './worst-finding.module.css';

/** A finding in two or three words, with the mark of its severity; the tooltip tells it all. */
export function FindingMark({ finding }: { readonly finding: Finding }) {
  const { severity, notSeenBecause } = finding;
  const tone = SEVERITY_TONES[severity];
  return (
    <span
      className={classNames(styles['mark'], notSeenBecause === null && styles[tone])}
      title={findingTooltip(finding)}
    >
      <Glyph tone={tone} />
      <span className="sr-only">{SEVERITY_WORDS[severity]}: </span>
      <span className={styles['words']}>{finding.short}</span>
    </span>
  );
}

interface WorstFindingProps {
  readonly boxId: string;
  readonly tabIndex: number;
}

/** Leads to the box's alerts. Nothing found is an empty place; nothing looked at says so. */
export function WorstFinding({ boxId, tabIndex }: WorstFindingProps) {
  const { report, findings } = useAwake(boxId);
  const worst = findings[0];
  if (worst === undefined) {
    if (report === null) return <Dash why="The first check of this box is still to come" />;
    if (countChecks(report).looked > 0) return null;
    return <Dash why="No check could run on this box" />;
  }
  const others = findings.length - 1;
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      className={styles['worst']}
      title={findingTooltip(worst)}
      onClick={() => tabChosen(boxId, 'alerts')}
    >
      <FindingMark finding={worst} />
      <small>
        {subjectWords(worst.subject)}
        {others > 0 && ` · ${others} more`}
        {worst.notSeenBecause !== null && ' · not seen now'}
      </small>
    </button>
  );
}
