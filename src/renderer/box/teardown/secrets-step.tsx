import { useId, useState } from 'react';
import { SECRET_KINDS, secretWords } from '../../../shared/teardown/secret-kinds.ts';
import type {
  FoundSecret,
  SecretsLook,
  SecretsPlan,
  SecretsView,
} from '../../../shared/teardown/secrets-found.ts';
import { holdsUp, type TeardownDoing } from '../../../shared/teardown/teardown-view.ts';
import type { Profile } from '../../../shared/profiles/profile.ts';
import { textOf } from '../../../shared/runs/launch/run-words.ts';
import { useCatalog } from '../../handbook/gotchas.ts';
import { call } from '../../state/bridge.ts';
import { tabChosen } from '../../state/view.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { useAsking } from './use-teardown.ts';
import styles from './secrets-step.module.css';

interface SecretsStepProps {
  readonly boxId: string;
  readonly profile: Profile | null;
  readonly secrets: SecretsView;
  readonly doing: TeardownDoing | null;
  readonly isUp: boolean;
}

/** Keys and tokens on the box, by their names, and their removal. Nothing here stands in the way of its end. */
export function SecretsStep({ boxId, profile, secrets, doing, isUp }: SecretsStepProps) {
  const { look, removed, stayed, isLeft } = secrets;
  const { refusal, isBusy: isAsking, ask } = useAsking();
  // Another look shows other files, and what became of the removal is told all the same.
  const [plan, setPlan] = useState<SecretsPlan | null>(null);
  const isBusy = holdsUp(doing) || isAsking;
  const openPlan = async (keys: readonly string[]) => {
    const planned = await call('teardown:plan-secrets', { boxId, keys: [...keys] });
    if (planned.ok) setPlan(planned.value);
    return planned;
  };
  // Whoever goes on has seen what was found here, and what could not be looked through.
  const goOn = () =>
    ask(call('teardown:leave-secrets', { boxId }), () => tabChosen(boxId, 'teardown'));
  return (
    <>
      <div className={styles['look']}>
        <p className={styles['lead']}>
          {look === null ? (
            'Leasehold looks for keys and tokens by the names of files, in every home folder and where your runs worked. It reads none of them.'
          ) : (
            <>
              Looked <Age atMs={look.atMs} />. Found by the names of files; none was read.
            </>
          )}
        </p>
        <Button
          look={look === null ? 'primary' : 'plain'}
          size={look === null ? 'medium' : 'small'}
          disabled={isBusy || !isUp}
          {...(!isUp && { title: 'Connect to the box first' })}
          onClick={() => ask(call('teardown:look-for-secrets', { boxId }))}
        >
          {doing?.kind === 'looking-for-secrets'
            ? 'Searching…'
            : look === null
              ? 'Search for secrets'
              : 'Search again'}
        </Button>
      </div>
      <Refusal problem={refusal} />
      <WhyItMatters profile={profile} />
      {stayed.length > 0 && (
        <div className={styles['stayed']} role="status">
          <Glyph tone="warn" />
          <ul aria-label="Not removed">
            {stayed.map((line) => (
              <li key={line}>{textOf(line)}</li>
            ))}
          </ul>
        </div>
      )}
      {removed.length > 0 && (
        <p className={styles['note']} role="status">
          {formatCount(removed.length, 'file')} removed from the box, and seen to be gone. Their
          bytes may still be on the disk until something else is written there: replace what
          matters.
        </p>
      )}
      {look !== null && (
        <Found
          key={look.atMs}
          {...{ look, isLeft, isBusy, isUp }}
          onRemove={(keys) => ask(openPlan(keys))}
          onLeave={() => ask(call('teardown:leave-secrets', { boxId }))}
        />
      )}
      {look?.found.length === 0 && (
        <div className={styles['buttons']}>
          <Button disabled={isBusy} onClick={goOn}>
            Continue
          </Button>
        </div>
      )}
      {plan !== null && (
        <RemoveDialog
          {...{ boxId, plan }}
          home={look?.home ?? null}
          onClose={() => setPlan(null)}
        />
      )}
    </>
  );
}

/** In the catalog's own words. */
function WhyItMatters({ profile }: { readonly profile: Profile | null }) {
  const catalog = useCatalog();
  const ids = ['U34', ...(profile?.id === 'vastai' ? ['VAST11'] : [])];
  const entries = ids.flatMap((id) => catalog.get(id) ?? []);
  if (entries.length === 0) return null;
  return (
    <ul className={styles['why']} aria-label="Why this matters">
      {entries.map(({ id, title, symptom, cause }) => (
        <li key={id}>
          <a href={`#${id}`}>{title}</a>: {symptom} {cause}
        </li>
      ))}
    </ul>
  );
}

interface FoundProps {
  readonly look: SecretsLook;
  readonly isLeft: boolean;
  readonly isBusy: boolean;
  readonly isUp: boolean;
  readonly onRemove: (keys: readonly string[]) => void;
  readonly onLeave: () => void;
}

function Found({ look, isLeft, isBusy, isUp, onRemove, onLeave }: FoundProps) {
  const { found, home, isCut, unread } = look;
  const [chosen, setChosen] = useState(() =>
    keysOf(found.filter(({ kind, mayGo }) => kind === 'sent' && mayGo)),
  );
  const partly = isCut
    ? 'More files were found than can be listed.'
    : unread === null
      ? null
      : `Not everything was looked through. ${unread}`;
  return (
    <>
      {partly !== null && (
        <p className={styles['partly']}>
          <Glyph tone="unknown" /> {partly}
        </p>
      )}
      {found.length === 0 ? (
        <p className={styles['none']}>
          <Glyph tone={partly === null ? 'ok' : 'unknown'} /> No files with names typical of
          secrets.
        </p>
      ) : (
        <>
          {groupsOf(found).map(([kind, files]) => (
            <Group
              key={kind}
              {...{ kind, files, chosen, home }}
              onToggle={(key) => setChosen((before) => toggled(before, key))}
            />
          ))}
          <div className={styles['buttons']}>
            <Button
              look="danger"
              disabled={isBusy || !isUp || chosen.size === 0}
              onClick={() => onRemove([...chosen])}
            >
              {chosen.size === 0 ? 'Remove…' : `Remove ${formatCount(chosen.size, 'file')}…`}
            </Button>
            <Button
              disabled={isBusy || found.filter(isOffered).every(({ key }) => chosen.has(key))}
              onClick={() =>
                setChosen((before) => new Set([...before, ...keysOf(found.filter(isOffered))]))
              }
            >
              Choose all of yours
            </Button>
            <Button look="quiet" disabled={isBusy || isLeft} onClick={onLeave}>
              {isLeft ? 'Left on the box' : 'Leave them there'}
            </Button>
          </div>
          <p className={styles['note']}>
            What you leave is on the disk of the box when it goes, and is listed on the receipt. It
            doesn’t block the teardown.
          </p>
        </>
      )}
    </>
  );
}

interface GroupProps {
  readonly kind: FoundSecret['kind'];
  readonly files: readonly FoundSecret[];
  readonly chosen: ReadonlySet<string>;
  readonly home: string | null;
  readonly onToggle: (key: string) => void;
}

function Group({ kind, files, chosen, home, onToggle }: GroupProps) {
  const { title, why } = secretWords(kind);
  const titleId = useId();
  return (
    <div role="group" aria-labelledby={titleId} className={styles['group']}>
      <p className={styles['head']}>
        <span id={titleId}>{title}</span>
        <span className={styles['note']}>{why}</span>
      </p>
      {files.map((file) => (
        <label key={file.key} className={styles['file']}>
          <input
            type="checkbox"
            checked={chosen.has(file.key)}
            disabled={!file.mayGo}
            onChange={() => onToggle(file.key)}
          />
          <span className="mono selectable" title={textOf(file.path)}>
            {textOf(shortened(file.path, home))}
          </span>
          <span className={styles['note']}>{notesOf(file).join(' · ')}</span>
        </label>
      ))}
    </div>
  );
}

/** Exactly this is removed. */
function RemoveDialog({
  boxId,
  plan: { plan, doomed },
  home,
  onClose,
}: {
  readonly boxId: string;
  readonly home: string | null;
  readonly plan: SecretsPlan;
  readonly onClose: () => void;
}) {
  const { refusal, ask } = useAsking();
  const { id, digest } = plan;
  return (
    <ConfirmDialog
      title={`Remove ${formatCount(doomed.length, 'file')} from the box?`}
      description="This cannot be undone. A file is deleted only if it is unchanged since the search."
      confirm="Delete on the box"
      cancel="Cancel"
      onConfirm={() =>
        ask(call('teardown:remove-secrets', { boxId, plan: { id, digest } }), onClose)
      }
      onClose={onClose}
    >
      <ul className={styles['doomed']}>
        {doomed.map(({ key, path }) => (
          <li key={key} className="mono selectable">
            {textOf(shortened(path, home))}
          </li>
        ))}
      </ul>
      <Refusal problem={refusal} />
    </ConfirmDialog>
  );
}

/** As a person names what lies in their home folder. */
const shortened = (path: string, home: string | null): string =>
  home !== null && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;

/** One’s own, that lies where a program keeps its keys. */
const isOffered = ({ mayGo, isOwn, isSure }: FoundSecret): boolean => mayGo && isOwn && isSure;

const keysOf = (files: readonly FoundSecret[]): Set<string> => new Set(files.map(({ key }) => key));

const ORDER: readonly FoundSecret['kind'][] = ['sent', ...SECRET_KINDS.map(({ id }) => id)];

const groupsOf = (found: readonly FoundSecret[]) =>
  ORDER.flatMap((kind) => {
    const files = found.filter((file) => file.kind === kind);
    return files.length === 0 ? [] : [[kind, files] as const];
  });

function toggled(before: ReadonlySet<string>, key: string): Set<string> {
  const after = new Set(before);
  if (!after.delete(key)) after.add(key);
  return after;
}

function notesOf({ isOwn, mayGo, isSure, links, bytes }: FoundSecret): readonly string[] {
  return [
    ...(bytes === 0 ? ['empty'] : []),
    ...(isOwn ? [] : ['another user’s']),
    ...(mayGo ? [] : ['cannot be removed: its folder is closed to you']),
    ...(isSure ? [] : ['matched by name only']),
    ...(links > 1
      ? [`${formatCount(links - 1, 'other hard link')} ${links === 2 ? 'remains' : 'remain'}`]
      : []),
  ];
}
