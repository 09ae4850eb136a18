import { Play, SquareTerminal } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { describeGpus } from '../fleet/gpu-names.ts';
import { DEMO_PLATFORM } from '../../shared/demo/demo-platform.ts';
import { platformName } from '../../shared/profiles/platform-names.ts';
import { connectRequested, disconnectRequested } from '../state/actions.ts';
import type { BoxEntry } from '../state/box-entry.ts';
import { overlayOpened, tabChosen } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { classNames } from '../ui/class-names.ts';
import { PageHeader } from '../ui/page-header.tsx';
import styles from './box-header.module.css';
import { ClockChip } from './clocks/clock-chip.tsx';
import { BoxMenuButton, FaultsButton } from './header-buttons.tsx';
import { LinkChip } from './link-chip.tsx';

// Menus bring a positioning library; until it is there, the same buttons stand in the same places and remember a press.
const FaultsMenu = lazy(async () => ({
  default: (await import('./faults-menu.tsx')).FaultsMenu,
}));
const FlavourChip = lazyPart(async () => (await import('./flavour/flavour-chip.tsx')).FlavourChip);
const BoxMenu = lazy(async () => ({ default: (await import('./box-menu.tsx')).BoxMenu }));

export function BoxHeader({ entry }: { readonly entry: BoxEntry }) {
  const { box, link, gpus } = entry;
  const [early, setEarly] = useState<'faults' | 'box' | null>(null);
  const isDemo = box.platform === DEMO_PLATFORM;
  const canConnect = link.kind === 'idle' || link.kind === 'down';
  // A host key question has its own buttons, with words that fit it.
  const canDisconnect = ['up', 'connecting', 'waiting'].includes(link.kind);
  const place = isDemo ? '' : `${platformName(box.platform)} · `;
  return (
    <PageHeader
      title={box.name}
      meta={`${place}${describeGpus(gpus)}`}
      actions={
        <>
          {canConnect && (
            <Button look="primary" onClick={() => connectRequested(box.id)}>
              Connect
            </Button>
          )}
          {link.kind === 'waiting' && (
            <Button isOnce onClick={() => connectRequested(box.id)}>
              Retry now
            </Button>
          )}
          <Button aria-label="Terminal" onClick={() => tabChosen(box.id, 'terminal')}>
            <SquareTerminal size={15} aria-hidden />
            <span className={styles['optional']}>Terminal</span>
          </Button>
          <Button
            aria-label="Launch…"
            disabled={link.kind !== 'up'}
            title={link.kind === 'up' ? 'Start a run on this box' : 'Connect to the box first'}
            onClick={() => overlayOpened({ kind: 'launch', boxId: box.id })}
          >
            <Play size={15} aria-hidden />
            <span className={styles['optional']}>Launch…</span>
          </Button>
          {isDemo && (
            <Suspense fallback={<FaultsButton onClick={() => setEarly('faults')} />}>
              <FaultsMenu isOpenAtFirst={early === 'faults'} />
            </Suspense>
          )}
          {canDisconnect && <Button onClick={() => disconnectRequested(box.id)}>Disconnect</Button>}
          <Suspense fallback={<BoxMenuButton onClick={() => setEarly('box')} />}>
            <BoxMenu
              box={box}
              isDemo={isDemo}
              isUp={link.kind === 'up'}
              isOpenAtFirst={early === 'box'}
            />
          </Suspense>
        </>
      }
    >
      {isDemo && <span className={classNames(styles['chip'], styles['demo'])}>Demo box</span>}
      <LinkChip link={link} />
      <Suspense fallback={null}>
        <FlavourChip entry={entry} />
      </Suspense>
      <ClockChip boxId={box.id} />
    </PageHeader>
  );
}
