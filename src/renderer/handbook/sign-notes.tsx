import { useMemo } from 'react';
import { doubtfulSigns } from '../../shared/gotchas/doubtful-signs.ts';
import type { EntryDraft } from '../../shared/gotchas/entry-draft.ts';
import { Glyph } from '../ui/glyph.tsx';
import styles from './entry-editor.module.css';
import { useGotchas } from './gotchas.ts';
import { useWriting } from './writing.ts';

/** What speaks against a sign while it is typed; none of it forbids anything. */
export function SignNotes({ draft }: { readonly draft: EntryDraft }) {
  const state = useGotchas();
  const editing = useWriting(({ writing }) => writing?.editing?.id ?? null);
  const doubts = useMemo(() => {
    if (state.kind !== 'known') return [];
    return doubtfulSigns(
      draft,
      [...state.byId.values()].filter(({ id }) => id !== editing),
    );
  }, [state, draft, editing]);
  if (doubts.length === 0) return null;
  return (
    <ul className={styles['doubts']}>
      {doubts.map((doubt) => (
        <li key={doubt}>
          <Glyph tone="warn" /> {doubt}
        </li>
      ))}
    </ul>
  );
}
