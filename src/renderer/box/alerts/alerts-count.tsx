import { SEVERITY_TONES, SEVERITY_WORDS } from '../../fleet/finding-words.ts';
import { useAwake } from '../../fleet/use-awake.ts';
import { classNames } from '../../ui/class-names.ts';
import { formatCount } from '../../ui/format.ts';
import styles from './alerts-count.module.css';

/** How many alerts ask for the person, in the colour of the worst; without any it is not there. */
export function AlertsCount({ boxId }: { readonly boxId: string }) {
  const { findings } = useAwake(boxId);
  const worst = findings[0];
  if (worst === undefined) return null;
  const words = `${formatCount(findings.length, 'alert')}, worst: ${SEVERITY_WORDS[worst.severity]}`;
  return (
    <span
      className={classNames(styles['count'], styles[SEVERITY_TONES[worst.severity]])}
      title={words}
    >
      <span aria-hidden="true">{findings.length}</span>
      <span className="sr-only"> ({words})</span>
    </span>
  );
}
