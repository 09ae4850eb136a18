import { useMemo, useState, type FormEvent } from 'react';
import { parseTags } from '../../shared/boxes/tag-words.ts';
import type { Problem } from '../../shared/problem.ts';
import { call } from '../state/bridge.ts';
import { selectEntries, selectEntry, useFleet } from '../state/feeds.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFooter } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import styles from './tags-dialog.module.css';

interface TagsDialogProps {
  readonly boxId: string;
  readonly onClose: () => void;
}

/** The person's own words for a box. */
export function TagsDialog({ boxId, onClose }: TagsDialogProps) {
  const entry = useFleet(selectEntry(boxId));
  const [text, setText] = useState(entry?.box.tags.join(', ') ?? '');
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const read = parseTags(text);
  const elsewhere = useTagsElsewhere(typeof read === 'string' ? [] : read);

  async function submitted(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (typeof read === 'string') return;
    const tagged = await call('box:tag', { boxId, tags: [...read] });
    if (tagged.ok) onClose();
    else setRefusal(tagged.error);
  }

  return (
    <Dialog
      title={`Tags of ${entry?.box.name ?? ''}`}
      description="Your own words for this box, to find and group boxes by."
      onClose={onClose}
    >
      <form onSubmit={(event) => void submitted(event)}>
        <Field
          label="Tags"
          placeholder="ablation, team vision"
          hint="Separate them with commas."
          value={text}
          error={typeof read === 'string' ? read : null}
          autoFocus
          onValue={setText}
        />
        {elsewhere.length > 0 && (
          <div className={styles['known']} role="group" aria-label="Tags of other boxes">
            {elsewhere.map((tag) => (
              <Button
                key={tag}
                size="small"
                onClick={() => setText(text.trim() === '' ? tag : `${text.trim()}, ${tag}`)}
              >
                {tag}
              </Button>
            ))}
          </div>
        )}
        {refusal !== null && (
          <div role="alert">
            <ProblemNote problem={refusal} />
          </div>
        )}
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={typeof read === 'string'}>
            Save
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

/** More would be a wall of words. */
const MAX_OFFERED = 12;

/** Tags of other boxes that are not among these. */
function useTagsElsewhere(had: readonly string[]): readonly string[] {
  const entries = useFleet(selectEntries);
  const all = useMemo(() => [...new Set(entries.flatMap(({ box }) => box.tags))].sort(), [entries]);
  const lower = had.map((tag) => tag.toLowerCase());
  return all.filter((tag) => !lower.includes(tag.toLowerCase())).slice(0, MAX_OFFERED);
}
