import { coverageOf, stateOf, type CoverageState } from '../../shared/gotchas/coverage.ts';
import {
  gotchaRoles,
  type AdvicePlace,
  type Deed,
  type Gotcha,
  type GotchaRole,
  type OwnCoverage,
} from '../../shared/gotchas/gotcha.ts';
import { compareIds } from '../../shared/gotchas/ids.ts';
import { missingIds } from './known-ids.ts';
import { doubtOf, Sources } from './proof.ts';

export interface CoverageRow extends OwnCoverage {
  readonly id: string;
  readonly title: string;
  readonly role: GotchaRole;
  readonly state: CoverageState;
  /** Another view of these; empty: an entry of its own. */
  readonly sameAs: readonly string[];
}

export interface CoverageFault {
  readonly id: string;
  readonly message: string;
}

export interface RoleTotals {
  readonly role: GotchaRole;
  readonly all: number;
  readonly done: number;
  readonly partly: number;
  readonly planned: number;
  /** Nothing can be done, and the entry says why. */
  readonly beyond: number;
}

export interface CoverageReport {
  readonly rows: readonly CoverageRow[];
  readonly totals: readonly RoleTotals[];
  readonly faults: readonly CoverageFault[];
}

/** The code behind each place where advice is shown. */
const PLACES: Readonly<Record<AdvicePlace, Omit<Deed, 'does'>>> = {
  Handbook: {
    module: 'src/renderer/handbook/handbook-page.tsx',
    test: 'src/renderer/handbook/handbook.test.tsx',
  },
  Facts: {
    module: 'src/renderer/box/facts/known-traps.tsx',
    test: 'src/renderer/box/facts/facts-tab.test.tsx',
  },
};

/** What is done about each gotcha, and whether that is true of the sources under `root`. */
export async function checkCoverage(
  root: string,
  gotchas: readonly Gotcha[],
): Promise<CoverageReport> {
  const byId = new Map(gotchas.map((gotcha) => [gotcha.id, gotcha]));
  const rows = [...gotchas]
    .sort((a, b) => compareIds(a.id, b.id))
    .map((gotcha): CoverageRow => {
      const { id, title, role, coverage } = gotcha;
      const own = coverageOf(gotcha, byId);
      const sameAs = coverage !== null && 'sameAs' in coverage ? coverage.sameAs : [];
      return { id, title, role, state: stateOf(own), sameAs, ...own };
    });
  const sources = new Sources(root);
  const faults: CoverageFault[] = missingIds(gotchas).map((id) => ({
    id,
    message: 'is not in the catalog',
  }));
  for (const gotcha of gotchas) {
    for (const message of await doubtsAbout(gotcha, byId, sources)) {
      faults.push({ id: gotcha.id, message });
    }
  }
  return { rows, totals: gotchaRoles.map((role) => totalsOf(role, rows)), faults };
}

async function doubtsAbout(
  { id, role, coverage, related }: Gotcha,
  byId: ReadonlyMap<string, Gotcha>,
  sources: Sources,
): Promise<readonly string[]> {
  const links = related
    .filter((each) => !byId.has(each))
    .map((each) => `is related to ${each}, which is not in the catalog`);
  if (coverage === null) return [...links, 'has neither an implementation nor a plan'];
  if ('sameAs' in coverage) {
    const wrong = coverage.sameAs.filter((each) => {
      const other = byId.get(each)?.coverage;
      return other === undefined || other === null || 'sameAs' in other;
    });
    return [
      ...links,
      ...wrong.map((each) => `is the same as ${each}, which says nothing of its own`),
    ];
  }
  const { done, shown, planned, beyond } = coverage;
  const doubts = await Promise.all([
    ...done.map((deed) => doubtOf(id, deed, sources)),
    ...shown.map((place) => doubtOf(place, PLACES[place], sources)),
  ]);
  return [
    ...links,
    ...(done.length + shown.length + planned.length === 0 && beyond === undefined
      ? ['has neither an implementation nor a plan']
      : []),
    ...(role === 'advice' && shown.length === 0 ? ['is advice that is shown nowhere'] : []),
    ...(role === 'preflight' && planned.length > 0 && beyond === undefined && !done.some(isOfLaunch)
      ? ['is about a launch, which neither asks for it nor says why it cannot']
      : []),
    ...doubts.filter((doubt) => doubt !== null),
  ];
}

/** What a launch does waits for nothing else: a scheduler and the links to providers come beside it. */
const isOfLaunch = ({ module }: Deed): boolean => module.startsWith('src/shared/runs/launch/');

function totalsOf(role: GotchaRole, rows: readonly CoverageRow[]): RoleTotals {
  const own = rows.filter((row) => row.role === role);
  const count = (state: CoverageState): number => own.filter((row) => row.state === state).length;
  return {
    role,
    all: own.length,
    done: count('done'),
    partly: count('partly'),
    planned: count('planned'),
    beyond: count('beyond'),
  };
}
