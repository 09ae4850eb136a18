import { describe, expect, it } from 'vitest';
import { advance } from '../../shared/alerts/advance.ts';
import { alertAt } from '../../shared/alerts/alert.fixture.ts';
import type { Alert } from '../../shared/alerts/alert.ts';
import { MAX_RESOLVED_KEPT } from './alerts-table.ts';
import { newBox } from './boxes.fixture.ts';
import { openTemporaryDatabase, type Database } from './database.ts';

function withBox(work: (database: Database, boxId: string) => void): void {
  const database = openTemporaryDatabase();
  const box = newBox(1);
  database.boxes.add(box);
  work(database, box.id);
  database.close();
}

const over = (alert: Alert, atMs: number): Alert => advance(alert, { kind: 'clear', atMs });

describe('alertsTable', () => {
  it('gives back what was written, open and over apart, the newest end first', () =>
    withBox(({ alerts }, boxId) => {
      const [open, early, late] = [alertAt(1), over(alertAt(2), 10), over(alertAt(3), 20)];
      expect(alerts.write(boxId, [open, early, late])).toEqual({ ok: true, value: null });
      const rows = (listed: readonly Alert[]) => ({
        ok: true,
        value: { rows: listed.map((alert) => ({ boxId, alert })), unreadable: [] },
      });
      expect(alerts.open()).toEqual(rows([open]));
      expect(alerts.resolved(boxId, 0, 10)).toEqual(rows([late, early]));
      expect(alerts.resolved(null, 11, 10)).toEqual(rows([late]));
      expect(alerts.resolved(boxId, 0, 1)).toEqual(rows([late]));
      const back = { ...late, stage: { kind: 'open' } } as const;
      alerts.refresh(boxId, [back]);
      expect(alerts.resolved(boxId, 0, 10)).toEqual(rows([early]));
    }));

  it('keeps nothing of a box that is not stored, and forgets with the box', () =>
    withBox(({ alerts, boxes }, boxId) => {
      expect(alerts.write('b7b7f0de-9999-4222-8333-444455556666', [alertAt(1)]).ok).toBe(true);
      expect(alerts.open()).toMatchObject({ value: { rows: [] } });
      alerts.write(boxId, [alertAt(1)]);
      boxes.forget(boxId);
      expect(alerts.open()).toMatchObject({ value: { rows: [], unreadable: [] } });
    }));

  it('cuts a clue that no one would read, so that the alert can be read again', () =>
    withBox(({ alerts }, boxId) => {
      const line = { kind: 'line', line: 'x'.repeat(1_000_000) } as const;
      alerts.write(boxId, [alertAt(1, { clues: [line] })]);
      const read = alerts.open();
      const [kept] = read.ok ? (read.value.rows[0]?.alert.finding.clues ?? []) : [];
      expect(kept).toEqual({ kind: 'line', line: 'x'.repeat(2000) });
    }));

  it.each<readonly [string, (alert: Alert) => object, number, string]>([
    ['a field of a newer version', (alert) => ({ ...alert, colour: 1 }), 2, 'Part of an alert'],
    [
      'a field that has another name now',
      ({ finding: { caveat, ...finding }, ...alert }) => ({
        ...alert,
        finding: { ...finding, but: caveat },
      }),
      2,
      'Part of an alert',
    ],
    [
      'a check that is gone',
      (alert) => ({ ...alert, finding: { ...alert.finding, detector: 'U99' } }),
      1,
      'not shown: ',
    ],
  ])('loses no other alert to %s, and says which it is', (_what, change, rows, said) =>
    withBox(({ alerts }, boxId) => {
      const stored = alertAt(1);
      alerts.write(boxId, [stored, alertAt(2)]);
      alerts.write(boxId, [{ ...stored, ...change(stored) }]);
      const read = alerts.open();
      expect(read).toMatchObject({
        value: {
          rows: { length: rows },
          unreadable: [{ message: expect.stringContaining(said) as string }],
        },
      });
      expect(read.ok && read.value.unreadable[0]?.message).toContain(stored.finding.headline);
      // It is still in the file.
      expect(alerts.open()).toEqual(read);
    }),
  );

  it('keeps so many of what is over', () =>
    withBox(({ alerts }, boxId) => {
      const all = Array.from({ length: MAX_RESOLVED_KEPT + 2 }, (_none, i) => over(alertAt(0), i));
      alerts.write(boxId, [alertAt(1), ...all]);
      const read = alerts.resolved(boxId, 0, 2000);
      const ends = read.ok ? read.value.rows.map(({ alert }) => alert.spans[0]?.toMs) : [];
      expect([ends.length, ends.at(-1)]).toEqual([MAX_RESOLVED_KEPT, 2]);
      expect(alerts.open()).toMatchObject({ value: { rows: { length: 1 } } });
    }));
});
