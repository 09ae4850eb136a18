import { z } from 'zod';
import { moment } from '../moment.ts';
import { MAX_BOX_GPUS } from './gpu-facts.ts';
import { metrics } from './reading-ring.ts';

// Apart from history.ts, because the window draws histories and must not carry the schema library for it.

export const MAX_HISTORY_POINTS = 2000;

export const historyQuery = z.strictObject({
  boxId: z.uuid(),
  /** Null: all that are known. */
  gpus: z.array(z.string().min(1).max(100)).max(MAX_BOX_GPUS).nullable(),
  metrics: z.array(z.enum(metrics)).min(1),
  fromMs: moment,
  toMs: moment,
  /** Points per series: two for each bucket, its lowest and its highest. About 300 is what a chart can show. */
  maxPoints: z.int().min(4).max(MAX_HISTORY_POINTS),
});
export type HistoryQuery = Readonly<z.infer<typeof historyQuery>>;

/** What `history:export` writes: every stored point of the range, not the thinned ones. */
export const historyExport = z.strictObject({
  boxId: z.uuid(),
  gpus: historyQuery.shape.gpus,
  metrics: historyQuery.shape.metrics,
  fromMs: historyQuery.shape.fromMs,
  toMs: historyQuery.shape.toMs,
});
export type HistoryExport = Readonly<z.infer<typeof historyExport>>;

/** The first bytes of every PNG. */
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The charts as the window painted them. */
export const historyPicture = z.strictObject({
  boxId: z.uuid(),
  /** Where the painted window begins; for the name of the file. */
  fromMs: historyQuery.shape.fromMs,
  png: z
    .instanceof(Uint8Array)
    .refine((bytes) => PNG_SIGNATURE.every((byte, i) => bytes[i] === byte), 'not a PNG'),
});
