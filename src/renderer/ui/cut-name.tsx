import { classNames } from './class-names.ts';
import styles from './cut-name.module.css';

/** Of a name, what has room nearly everywhere. */
const HEAD_CHARS = 8;
const TAIL_CHARS = 6;

/** A long name gives way in its middle: the boxes of a sweep differ at their ends. It is read aloud whole. */
export function CutName({
  name,
  className,
  tailChars = TAIL_CHARS,
}: {
  readonly name: string;
  /** At its end that stay: more of a path, whose end is the name of a file. */
  readonly tailChars?: number;
  readonly className?: string | undefined;
}) {
  const letters = Array.from(name);
  if (letters.length < HEAD_CHARS + tailChars) return <span className={className}>{name}</span>;
  return (
    <span className={classNames(styles['name'], className)}>
      <span className="sr-only">{name}</span>
      <span aria-hidden="true">{letters.slice(0, -tailChars).join('')}</span>
      <span aria-hidden="true">{letters.slice(-tailChars).join('')}</span>
    </span>
  );
}
