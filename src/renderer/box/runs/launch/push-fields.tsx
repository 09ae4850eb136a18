import { useState } from 'react';
import type { Problem } from '../../../../shared/problem.ts';
import type { PushForm } from '../../../../shared/runs/launch/request-form.ts';
import { call } from '../../../state/bridge.ts';
import { Button } from '../../../ui/button.tsx';
import { Refusal } from '../../../ui/problem-note.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import styles from './launch.module.css';

interface PushFieldsProps {
  readonly push: PushForm | null;
  readonly error: string | null;
  readonly onPush: (push: PushForm | null) => void;
  readonly onBlur: () => void;
}

/** Which folder of this computer goes to the box first. It is named by the system's own dialog alone. */
export function PushFields({ push, error, onPush, onBlur }: PushFieldsProps) {
  const [problem, setProblem] = useState<Problem | null>(null);

  async function choose(): Promise<void> {
    const answer = await call('runs:choose-folder', {});
    setProblem(answer.ok ? null : answer.error);
    if (!answer.ok || answer.value === null) return;
    const rest = push ?? { ignore: '', delete: false, fixLineEnds: false, rehash: false };
    onPush({ ...rest, from: answer.value });
  }

  return (
    <div className={styles['push']} role="group" aria-label="Code">
      <div className={styles['pushHead']}>
        <span>
          <span className={styles['label']}>Code to push</span>{' '}
          {push === null ? (
            <span className={styles['muted']}>none: what is in the folder on the box runs</span>
          ) : (
            <code className="selectable">{push.from}</code>
          )}
        </span>
        <Button size="small" onClick={() => void choose()}>
          {push === null ? 'Choose a folder…' : 'Change…'}
        </Button>
        {push !== null && (
          <Button size="small" onClick={() => onPush(null)}>
            Don’t push
          </Button>
        )}
      </div>
      <Refusal problem={problem} />
      {push !== null && (
        <div className={styles['fields']}>
          <TextArea
            label="Leave out"
            hint="Optional. One pattern per line, as in .gitignore. What git ignores is left out anyway."
            placeholder="*.ckpt"
            isMono
            spellCheck={false}
            value={push.ignore}
            error={error}
            onValue={(ignore) => onPush({ ...push, ignore })}
            onBlur={onBlur}
          />
          <div className={styles['stack']}>
            <label className={styles['checkbox']}>
              <input
                type="checkbox"
                checked={push.delete}
                onChange={() => onPush({ ...push, delete: !push.delete })}
              />
              <span>Delete on the box what an earlier push put there and is no longer here</span>
            </label>
            <label className={styles['checkbox']}>
              <input
                type="checkbox"
                checked={push.fixLineEnds}
                onChange={() => onPush({ ...push, fixLineEnds: !push.fixLineEnds })}
              />
              <span>Change Windows line ends of scripts on the way</span>
            </label>
            <label className={styles['checkbox']}>
              <input
                type="checkbox"
                checked={push.rehash}
                onChange={() => onPush({ ...push, rehash: !push.rehash })}
              />
              <span>Read every file again, also those that look unchanged since the last push</span>
            </label>
          </div>
        </div>
      )}
    </div>
  );
}
