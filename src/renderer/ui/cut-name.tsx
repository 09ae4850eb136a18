import { classNames } from './class-names.ts';
import styles from './cut-name.module.css';

/** Shorter ones have room nearly everywhere. */
const LEAST_CHARS = 14;
const TAIL_CHARS = 6;

/** A long name gives way in its middle: the boxes of a sweep differ at their ends. It is read aloud whole. */
export function CutName({
  name,
  className,
}: {
  readonly name: string;
  readonly className?: string | undefined;
}) {
  const letters = Array.from(name);
  if (letters.length < LEAST_CHARS) return <span className={className}>{name}</span>;
  return (
    <span className={classNames(styles['name'], className)}>
      <span className="sr-only">{name}</span>
      <span aria-hidden="true">{letters.slice(0, -TAIL_CHARS).join('')}</span>
      <span aria-hidden="true">{letters.slice(-TAIL_CHARS).join('')}</span>
    </span>
  );
}
