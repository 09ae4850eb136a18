import { tellFindings, type Catalog } from '../../shared/detectors/alert-words.ts';
import type { Blind, JudgedBox } from '../../shared/detectors/box-findings.ts';
import type { Finding } from '../../shared/detectors/finding.ts';
import { counted } from './table.ts';

/** What `read` and `detect` say of a box's health, in the same words. */
export interface FindingsInJson {
  readonly findings: readonly Finding[];
  /** Rules that these texts cannot answer, and why: no all-clear. */
  readonly unknown: readonly Blind[];
}

/** Null: nothing in the text says anything of a box's health. */
export function judgedIn(report: JudgedBox | null, catalog: Catalog): FindingsInJson {
  if (report === null) return { findings: [], unknown: [] };
  const { findings, unknown } = tellFindings(report, catalog);
  return { findings, unknown };
}

/** The findings of a text that was read for its figures; nothing where nothing was found. */
export function findingLines({ findings }: FindingsInJson): readonly string[] {
  if (findings.length === 0) return [];
  return ['', `Found: ${counted(findings.length, 'finding')}`, ...findings.flatMap(linesOf)];
}

export function linesOf({ detector, severity, headline, means, fix }: Finding): readonly string[] {
  return [
    '',
    `${detector} (${severity}): ${headline}`,
    `  ${means}`,
    ...fix.map((step) => `  - ${step}`),
  ];
}
