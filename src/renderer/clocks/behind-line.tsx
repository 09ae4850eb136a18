import { classNames } from '../ui/class-names.ts';
import styles from './behind-line.module.css';
import { useBehindWords } from './use-behind-words.ts';

/** What is on the box and not here, in a sentence; runs that left nothing are no reason for one. */
export function BehindLine({ boxId }: { readonly boxId: string }) {
  const { tone, sentence, title } = useBehindWords(boxId);
  return (
    <span className={classNames(styles['behind'], styles[tone])} title={title}>
      {sentence}
    </span>
  );
}
