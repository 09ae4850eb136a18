import { useEffect, useId, useState, type FormEvent } from 'react';
import { isTooWide } from '../../../../shared/transfer/result-root.ts';
import type { WeighedFolder } from '../../../../shared/transfer/weighed-folder.ts';
import { textOf } from '../../../../shared/runs/launch/run-words.ts';
import type { Problem } from '../../../../shared/problem.ts';
import type { BoxEntry } from '../../../state/box-entry.ts';
import { call } from '../../../state/bridge.ts';
import { usePatrol } from '../../../state/patrol.ts';
import { useProfile } from '../../../state/profiles.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { formatBytes } from '../../../ui/format.ts';
import { Refusal } from '../../../ui/problem-note.tsx';
import { useMounts } from '../../facts/use-mounts.ts';
import { tiersAt } from '../../../../shared/profiles/tier-at.ts';
import { likelyFolders, type LikelyFolder } from './likely-folders.ts';
import styles from './folders.module.css';

interface NameFolderDialogProps {
  readonly entry: BoxEntry;
  readonly onClose: () => void;
}

/** Asks which folder of the box is to come home. */
export function NameFolderDialog({ entry, onClose }: NameFolderDialogProps) {
  const { id: boxId, platform } = entry.box;
  const formId = useId();
  const [folder, setFolder] = useState('');
  const [isAsking, setIsAsking] = useState(false);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const why = whyNot(folder.trim());
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (why !== null || isAsking) return;
    setIsAsking(true);
    const answer = await call('runs:name-folder', { boxId, folder: folder.trim() });
    setIsAsking(false);
    if (answer.ok) onClose();
    else setRefusal(answer.error);
  };
  return (
    <Dialog
      title="Add a folder to bring home"
      description="It is listed with its files, brought home and proven like the results of a launched run, and counts to what is not home. Nothing on the box is changed."
      onClose={onClose}
    >
      <form id={formId} className={styles['form']} onSubmit={(event) => void add(event)}>
        <Field
          isMono
          label="Folder on the box"
          placeholder="/workspace/outputs"
          value={folder}
          hint="As a whole path, from “/” or “~” on."
          error={folder === '' ? null : why}
          onValue={setFolder}
        />
        <Likely {...{ boxId, platform }} onChoose={setFolder} />
        <Refusal problem={refusal} />
      </form>
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          type="submit"
          form={formId}
          disabled={folder.trim() === '' || why !== null || isAsking}
        >
          {isAsking ? 'Asking the box…' : 'Add the folder'}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function whyNot(folder: string): string | null {
  if (folder === '') return null;
  if (!/^[/~]/.test(folder)) return 'A whole path begins with “/” or “~”.';
  return isTooWide(folder) ? 'That is the whole box. Name a folder in it.' : null;
}

interface LikelyProps {
  readonly boxId: string;
  readonly platform: string;
  readonly onChoose: (folder: string) => void;
}

/** Where the platform keeps what lasts, and where runs were seen at work, with how much lies there. */
function Likely({ boxId, platform, onChoose }: LikelyProps) {
  const titleId = useId();
  const profile = useProfile(platform);
  const { found } = useMounts(boxId, true, platform);
  const patrol = usePatrol(boxId);
  const seen = patrol.kind === 'live' ? (patrol.state.seen?.runs ?? []) : [];
  const likely = likelyFolders(tiersAt(profile, found), seen);
  const weighed = useWeighed(boxId, likely);
  if (likely.length === 0) return null;
  return (
    <section aria-labelledby={titleId} className={styles['likely']}>
      <h3 id={titleId}>Likely places</h3>
      <ul>
        {likely.map(({ folder, says }) => (
          <li key={folder}>
            <Button size="small" look="quiet" title={folder} onClick={() => onChoose(folder)}>
              <span className={styles['path']}>{textOf(folder)}</span>
            </Button>
            <span className={styles['muted']}>
              {says}
              {sizeWords(weighed?.find((each) => each.folder === folder) ?? null)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Null: not yet, or the box did not say. */
function useWeighed(
  boxId: string,
  likely: readonly LikelyFolder[],
): readonly WeighedFolder[] | null {
  const asked = likely.map(({ folder }) => folder).join('\n');
  const [weighed, setWeighed] = useState<readonly WeighedFolder[] | null>(null);
  useEffect(() => {
    if (asked === '') return undefined;
    let isThere = true;
    void call('runs:weigh-folders', { boxId, folders: asked.split('\n') }).then((answer) => {
      if (isThere && answer.ok) setWeighed(answer.value);
    });
    return () => {
      isThere = false;
    };
  }, [boxId, asked]);
  return weighed;
}

function sizeWords(weighed: WeighedFolder | null): string {
  switch (weighed?.size.kind) {
    case 'weighed':
      return ` · ${formatBytes(weighed.size.bytes)}`;
    case 'gone':
      return ' · not there';
    case 'late':
      return ' · size not known: too much to look through in passing';
    case undefined:
      return '';
  }
}
