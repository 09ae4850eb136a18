import { useEffect, useId, useRef } from 'react';
import { gpuModelNames, type GpuModelName } from '../../shared/demo/gpu-models.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import { LIMITS_MBPS, limitWords } from '../../shared/transfer/continuous/continuous-pull.ts';
import type { ProofNeed } from '../../shared/teardown/proof-holds.ts';
import { settingsChanged } from '../state/actions.ts';
import { useSettings } from '../state/feeds.ts';
import { useView } from '../state/view.ts';
import { formatCount } from '../ui/format.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { FailedState, LoadingState } from '../ui/panel-state.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Switch } from '../ui/switch.tsx';
import { AlarmsSection } from './alarms-section.tsx';
import { KeepRulesSection } from './keep-rules-section.tsx';
import { AboutSection, MachineSections } from './machine-sections.tsx';
import { SettingLine, SettingsGroup } from './settings-group.tsx';
import { leadTo } from './setting-parts.ts';
import styles from './settings-page.module.css';
import { useAppInfo } from './use-app-info.ts';

/** Each change is sent at once and shown when main has stored it; there is no Save button to forget. */
export function SettingsPage() {
  const feed = useSettings();
  const info = useAppInfo();
  const column = useRef<HTMLDivElement>(null);
  const page = useView((view) => view.page);
  const isReady = feed.kind === 'live' && info.kind !== 'loading';
  // Who asks for the same part once more comes to a page of its own, and is led there once more.
  useEffect(() => {
    if (!isReady || column.current === null || page.kind !== 'settings') return;
    if (page.section !== 'settings') leadTo(column.current, page.section);
  }, [isReady, page]);
  return (
    <>
      <PageHeader title="Settings" />
      {feed.kind === 'loading' && <LoadingState title="Reading your settings…" />}
      {feed.kind === 'failed' && <FailedState problem={feed.problem} />}
      {feed.kind === 'live' && (
        <div className={styles['body']}>
          <div ref={column} className={styles['column']}>
            <WindowSection settings={feed.state} />
            <PatrolSection everyMin={feed.state.patrolEveryMin} />
            <PullsSection limitMBps={feed.state.pullLimitMBps} />
            <KeepRulesSection own={feed.state.keepRules} />
            <TeardownSection holdsMin={feed.state.proofHoldsMin} needs={feed.state.proofNeeds} />
            <AlarmsSection settings={feed.state} />
            <TerminalSection terminal={feed.state.terminal} />
            <FactsSection facts={feed.state.facts} />
            <DemoSection demo={feed.state.demo} />
            {info.kind === 'failed' && <FailedState problem={info.problem} />}
            {info.kind === 'known' && (
              <>
                <MachineSections info={info.info} />
                <AboutSection info={info.info} />
              </>
            )}
          </div>
        </div>
      )}
    </>
  );
}

const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
] as const;

function WindowSection({ settings }: { readonly settings: Settings }) {
  return (
    <SettingsGroup title="Window">
      <SettingLine label="Theme">
        <Segmented
          label="Theme"
          options={THEMES}
          value={settings.theme}
          onChange={(theme) => settingsChanged({ theme })}
        />
      </SettingLine>
      <Switch
        label="Notifications"
        hint="Desktop notifications when something needs your attention."
        isOn={settings.notifications}
        onChange={(notifications) => settingsChanged({ notifications })}
      />
      <Switch
        label="Keep running in the tray"
        hint="Closing the window leaves Leasehold in the tray; connections stay up."
        isOn={settings.keepInTray}
        onChange={(keepInTray) => settingsChanged({ keepInTray })}
      />
    </SettingsGroup>
  );
}

const FONT_SIZES = [10, 11, 12, 13, 14, 16, 18, 20].map((value) => ({
  value,
  label: String(value),
}));
const SCROLLBACKS = [1000, 5000, 20_000, 100_000] as const;

function TerminalSection({ terminal }: { readonly terminal: Settings['terminal'] }) {
  const linesId = useId();
  const { fontSizePx, scrollbackLines, isForScreenReader } = terminal;
  // A file may hold any number; it is shown beside the usual ones.
  const choices = [...new Set([...SCROLLBACKS, scrollbackLines])].sort((a, b) => a - b);
  return (
    <SettingsGroup title="Terminal">
      <SettingLine
        label="Font size"
        hint="In pixels; Ctrl+Shift with + and − in a terminal does the same."
      >
        <Segmented
          label="Font size"
          options={FONT_SIZES}
          value={fontSizePx}
          onChange={(value) => settingsChanged({ terminal: { fontSizePx: value } })}
        />
      </SettingLine>
      <SettingLine
        label="Scrollback"
        labelFor={linesId}
        hint="Lines kept above the screen of each terminal. tmux keeps its own."
      >
        <select
          id={linesId}
          className={styles['select']}
          value={scrollbackLines}
          onChange={({ target }) =>
            settingsChanged({ terminal: { scrollbackLines: Number(target.value) } })
          }
        >
          {choices.map((lines) => (
            <option key={lines} value={lines}>
              {lines.toLocaleString('en-US')} lines
            </option>
          ))}
        </select>
      </SettingLine>
      <Switch
        label="Screen reader mode"
        hint="Mirrors the screen of a terminal as text that a screen reader finds. Slower with much output."
        isOn={isForScreenReader}
        onChange={(isOn) => settingsChanged({ terminal: { isForScreenReader: isOn } })}
      />
    </SettingsGroup>
  );
}

const AGES_MONTHS = [3, 6, 9, 12] as const;

function FactsSection({ facts: { maxAgeMonths } }: { readonly facts: Settings['facts'] }) {
  const monthsId = useId();
  // A file may hold any number; it is shown beside the usual ones.
  const choices = [...new Set([...AGES_MONTHS, maxAgeMonths])].sort((a, b) => a - b);
  return (
    <SettingsGroup title="Facts about platforms">
      <SettingLine
        label="A fact is old after"
        labelFor={monthsId}
        hint="Prices, timers and limits of platforms change. A fact that was not checked for so long is marked wherever it is shown."
      >
        <select
          id={monthsId}
          className={styles['select']}
          value={maxAgeMonths}
          onChange={({ target }) =>
            settingsChanged({ facts: { maxAgeMonths: Number(target.value) } })
          }
        >
          {choices.map((months) => (
            <option key={months} value={months}>
              {formatCount(months, 'month')}
            </option>
          ))}
        </select>
      </SettingLine>
    </SettingsGroup>
  );
}

const PATROL_PAUSES_MIN = [1, 2, 5, 10, 15, 30, 60] as const;

function PatrolSection({ everyMin }: { readonly everyMin: number }) {
  const pauseId = useId();
  // A file may hold any number; it is shown beside the usual ones.
  const choices = [...new Set([...PATROL_PAUSES_MIN, everyMin])].sort((a, b) => a - b);
  return (
    <SettingsGroup title="Checks">
      <SettingLine
        label="Check interval"
        labelFor={pauseId}
        hint="One short read-only command that shows what runs there. Every 30 s while something is wrong, and less often on idle boxes."
      >
        <select
          id={pauseId}
          className={styles['select']}
          value={everyMin}
          onChange={({ target }) => settingsChanged({ patrolEveryMin: Number(target.value) })}
        >
          {choices.map((minutes) => (
            <option key={minutes} value={minutes}>
              {formatCount(minutes, 'minute')}
            </option>
          ))}
        </select>
      </SettingLine>
    </SettingsGroup>
  );
}

function PullsSection({ limitMBps }: { readonly limitMBps: number | null }) {
  const limitId = useId();
  const choices = [...new Set([...LIMITS_MBPS, limitMBps ?? 0])].sort((a, b) => a - b);
  if (limitMBps !== null) choices.unshift(0);
  return (
    <SettingsGroup title="Results">
      <SettingLine
        label="Bring results home at most at"
        labelFor={limitId}
        hint="Megabytes a second, for all boxes together. With a limit they come over Leasehold’s own connection: the system’s ssh program would keep to none."
      >
        <select
          id={limitId}
          className={styles['select']}
          value={limitMBps ?? 0}
          onChange={({ target }) =>
            settingsChanged({ pullLimitMBps: target.value === '0' ? null : Number(target.value) })
          }
        >
          {choices.map((limit) => (
            <option key={limit} value={limit}>
              {limitWords(limit === 0 ? null : limit)}
            </option>
          ))}
        </select>
      </SettingLine>
    </SettingsGroup>
  );
}

const PROOFS_HOLD_MIN = [10, 30, 60, 240, 1440] as const;

interface TeardownSectionProps {
  readonly holdsMin: number;
  readonly needs: ProofNeed;
}

function TeardownSection({ holdsMin, needs }: TeardownSectionProps) {
  const [holdsId, needsId] = [useId(), useId()];
  const choices = [...new Set([...PROOFS_HOLD_MIN, holdsMin])].sort((a, b) => a - b);
  return (
    <SettingsGroup title="Teardown">
      <SettingLine
        label="A proof of the copies holds for"
        labelFor={holdsId}
        hint="Before a box is ended, the copies on this computer have to have been read again within this time."
      >
        <select
          id={holdsId}
          className={styles['select']}
          value={holdsMin}
          onChange={({ target }) => settingsChanged({ proofHoldsMin: Number(target.value) })}
        >
          {choices.map((minutes) => (
            <option key={minutes} value={minutes}>
              {minutes % 60 === 0
                ? formatCount(minutes / 60, 'hour')
                : formatCount(minutes, 'minute')}
            </option>
          ))}
        </select>
      </SettingLine>
      <SettingLine
        label="A copy has to be"
        labelFor={needsId}
        hint="Loaded: also opened, wherever Leasehold has a reader for it. A file that its reader cannot open safely then blocks the end of its box."
      >
        <select
          id={needsId}
          className={styles['select']}
          value={needs}
          onChange={({ target }) =>
            settingsChanged({ proofNeeds: target.value === 'loaded' ? 'loaded' : 'hashed' })
          }
        >
          <option value="hashed">hashed on both sides</option>
          <option value="loaded">hashed, and loaded</option>
        </select>
      </SettingLine>
    </SettingsGroup>
  );
}

const GPU_COUNTS = [1, 2, 3, 4, 5, 6, 7, 8].map((value) => ({ value, label: String(value) }));

function DemoSection({ demo }: { readonly demo: Settings['demo'] }) {
  const modelId = useId();
  return (
    <SettingsGroup title="Demo box">
      <Switch
        label="Demo box"
        hint="A simulated machine inside Leasehold. It rents nothing and costs nothing."
        isOn={demo.isOn}
        onChange={(isOn) => settingsChanged({ demo: { isOn } })}
      />
      {demo.isOn && (
        <>
          <SettingLine label="Simulated GPU" labelFor={modelId}>
            <select
              id={modelId}
              className={styles['select']}
              value={demo.gpuModel}
              onChange={(event) =>
                settingsChanged({ demo: { gpuModel: event.target.value as GpuModelName } })
              }
            >
              {gpuModelNames.map((name) => (
                <option key={name} value={name}>
                  {name.replaceAll('-', ' ')}
                </option>
              ))}
            </select>
          </SettingLine>
          <SettingLine label="Number of GPUs" hint="Changing this restarts the demo box.">
            <Segmented
              label="Number of GPUs"
              options={GPU_COUNTS}
              value={demo.gpuCount}
              onChange={(gpuCount) => settingsChanged({ demo: { gpuCount } })}
            />
          </SettingLine>
        </>
      )}
    </SettingsGroup>
  );
}
