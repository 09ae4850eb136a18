import { useCallback, useMemo, useRef, useState } from 'react';
import type { Alert } from '../../shared/alerts/alert.ts';
import { selectAwake } from '../../shared/alerts/shown.ts';
import { emptyFigures, type FiguresState } from '../../shared/streams/figures-stream.ts';
import { EMPTY_FINDINGS, type FindingsState } from '../../shared/streams/findings-stream.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { NO_SPARKS, type SparksState } from '../../shared/streams/sparks-stream.ts';
import type { FleetView } from '../../shared/settings/fleet-view.ts';
import {
  selectAllAlerts,
  selectAllClocks,
  selectMeters,
  selectQuestions,
  useAlerts,
  useClocks,
  useFindings,
  useMeter,
  useQuestions,
} from '../state/feeds.ts';
import { useFigures } from '../state/figures.ts';
import { useSparks } from '../state/sparks.ts';
import type { Feed } from '../state/stream-client.ts';
import { useNow } from '../ui/clock.ts';
import {
  arrangeRows,
  rankBoxes,
  selectShown,
  type FleetKnowledge,
  type FleetRow,
} from './fleet-rows.ts';

/** Figures change every second. Rows that did so too could be neither read nor hit. */
const SORT_EVERY_MS = 5000;
/** For so long after the pointer or a key was at the rows they stay where they are. */
const HANDS_OFF_MS = 3000;

const selectFindings = (feed: Feed<FindingsState>): FindingsState =>
  feed.kind === 'live' ? feed.state : EMPTY_FINDINGS;
const NO_FIGURES = emptyFigures();
const selectFigures = (feed: Feed<FiguresState>): FiguresState =>
  feed.kind === 'live' ? feed.state : NO_FIGURES;
const selectSparks = (feed: Feed<SparksState>): SparksState =>
  feed.kind === 'live' ? feed.state : NO_SPARKS;

/** What is found now, with what is remembered, and without what the person put off. */
function rememberAll(
  { boxes }: FindingsState,
  alerts: Readonly<Record<string, readonly Alert[]>>,
): FindingsState {
  const remembered = Object.entries(boxes).map(([boxId, report]) => {
    const known = alerts[boxId];
    const isSame = known?.length === 0 && report.findings.length === 0;
    if (known === undefined || isSame) return [boxId, report] as const;
    return [boxId, { ...report, findings: selectAwake(report, known) }] as const;
  });
  return { boxes: Object.fromEntries(remembered) };
}

interface FleetRows {
  readonly known: FleetKnowledge;
  readonly shown: readonly FleetEntry[];
  readonly rows: readonly FleetRow[];
  readonly onTouched: () => void;
}

export function useFleetRows(
  entries: readonly FleetEntry[],
  { sortBy, isDescending, groupBy, filter, collapsed }: FleetView,
): FleetRows {
  const nowMs = useNow();
  const found = useFindings(selectFindings);
  const alerts = useAlerts(selectAllAlerts);
  const findings = useMemo(() => rememberAll(found, alerts), [found, alerts]);
  const figures = useFigures(selectFigures);
  const sparks = useSparks(selectSparks);
  const meters = useMeter(selectMeters);
  const clocks = useClocks(selectAllClocks);
  const questions = useQuestions(selectQuestions);
  const known = useMemo((): FleetKnowledge => {
    const asking = new Set(questions.flatMap(({ boxId }) => boxId ?? []));
    return { entries, figures, findings, sparks, meters, clocks, asking };
  }, [entries, figures, findings, sparks, meters, clocks, questions]);

  const [sorted, setSorted] = useState({ known, sortBy, isDescending, atMs: nowMs });
  const touchedAtMs = useRef(0);
  const isAsked = sorted.sortBy !== sortBy || sorted.isDescending !== isDescending;
  const isOther = sorted.known.entries.length !== entries.length;
  // oxlint-disable-next-line react-hooks/refs -- read once a second, and nothing is drawn from it
  const isFree = nowMs - touchedAtMs.current > HANDS_OFF_MS;
  if (isAsked || isOther || (isFree && nowMs - sorted.atMs >= SORT_EVERY_MS)) {
    setSorted({ known, sortBy, isDescending, atMs: nowMs });
  }
  const ranks = useMemo(() => rankBoxes(sorted.known, sorted, sorted.atMs), [sorted]);
  const shown = useMemo(() => selectShown(known, ranks, filter), [known, ranks, filter]);
  const rows = useMemo(
    () => arrangeRows(shown, groupBy, collapsed, known),
    [shown, groupBy, collapsed, known],
  );
  const onTouched = useCallback(() => {
    touchedAtMs.current = Date.now();
  }, []);
  return { known, shown, rows, onTouched };
}
