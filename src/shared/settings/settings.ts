import { z } from 'zod';
import { DEFAULT_MARKS_MS } from '../clocks/escalation.ts';
import { MARK_MS, MAX_MARKS } from '../clocks/mark-words.ts';
import { gpuModelNames } from '../demo/gpu-models.ts';
import { moment } from '../moment.ts';
import { DEFAULT_PATROL_MIN, PATROL_MIN } from '../patrol/pace.ts';
import { MAX_AGE_MONTHS } from '../profiles/max-age.ts';
import { PROOF_HOLDS_MIN, proofNeeds } from '../teardown/proof-holds.ts';
import { LIMIT_MBPS } from '../transfer/continuous/continuous-pull.ts';
import { ownKeepRules } from '../transfer/keep-rules.ts';
import { webhookKinds } from '../webhook/webhook-kinds.ts';
import { FONT_SIZE_PX, TERMINAL_DEFAULTS } from './terminal-defaults.ts';

const fontSizePx = z.int().min(FONT_SIZE_PX.min).max(FONT_SIZE_PX.max);
/** Whether a platform's facts are old is asked in months; more than ten years would be no question any more. */
const maxAgeMonths = z.int().min(1).max(120);
const currency = z.string().regex(/^[A-Z]{3}$/);
const exchangeRates = z.record(currency, z.int().min(1).max(1e15));
const scrollbackLines = z.int().min(0).max(100_000);
const alarmMarksMs = z
  .array(z.int().min(MARK_MS.min).max(MARK_MS.max))
  .max(MAX_MARKS)
  .transform((marks) => [...new Set(marks)].sort((a, b) => b - a));
const patrolEveryMin = z.int().min(PATROL_MIN.min).max(PATROL_MIN.max);
const pullLimitMBps = z.number().min(LIMIT_MBPS.min).max(LIMIT_MBPS.max).nullable();
/** How long a reading of the copies counts, before a box is ended. */
const proofHoldsMin = z.int().min(PROOF_HOLDS_MIN.min).max(PROOF_HOLDS_MIN.max);
const webhook = z
  .strictObject({ kind: z.enum(webhookKinds), isPlainAllowed: z.boolean() })
  .nullable();

/** What the user chose. Every field has a default, so an old or partial file still opens. */
export const settingsSchema = z.object({
  theme: z.enum(['system', 'dark', 'light']).default('system'),
  demo: z
    .object({
      isOn: z.boolean().default(true),
      gpuModel: z.enum(gpuModelNames).default('A100-SXM4-80GB'),
      gpuCount: z.int().min(1).max(8).default(2),
    })
    .prefault({}),
  terminal: z
    .object({
      fontSizePx: fontSizePx.default(TERMINAL_DEFAULTS.fontSizePx),
      /** Lines kept above the screen; each costs memory in the window. */
      scrollbackLines: scrollbackLines.default(TERMINAL_DEFAULTS.scrollbackLines),
      /** xterm then mirrors the screen into text that screen readers find; it makes floods slower. */
      isForScreenReader: z.boolean().default(TERMINAL_DEFAULTS.isForScreenReader),
    })
    .prefault({}),
  /** What is known of platforms. */
  facts: z
    .object({
      /** A fact that nobody looked up for so long is marked as old. */
      maxAgeMonths: maxAgeMonths.default(MAX_AGE_MONTHS),
    })
    .prefault({}),
  /** What one unit of other currencies is in one of them, as the person says; nothing is converted without. */
  costs: z
    .object({
      sumIn: currency.nullable().default(null),
      /** Millionths of that currency. */
      rates: exchangeRates.default({}),
      ratesAtMs: moment.nullable().default(null),
    })
    .prefault({}),
  /** How often each connected box is looked at, in minutes. */
  patrolEveryMin: patrolEveryMin.default(DEFAULT_PATROL_MIN),
  /** What all that brings results home takes of the line together, in megabytes a second; null: as much as there is. */
  pullLimitMBps: pullLimitMBps.default(null),
  /** What results are for, where their request does not say; before the usual rules. */
  keepRules: ownKeepRules.default([]),
  /** What an end of a box rests on was read so lately, in minutes. */
  proofHoldsMin: proofHoldsMin.default(PROOF_HOLDS_MIN.usual),
  /** How far it has to be proven. */
  proofNeeds: z.enum(proofNeeds).default('hashed'),
  /** Native notifications for changes that need a person. */
  notifications: z.boolean().default(true),
  /** Time left at which a clock rings, the longest first. None: only when its time is over. */
  alarmMarksMs: alarmMarksMs.default([...DEFAULT_MARKS_MS]),
  /** Alarms are posted somewhere; the address is a secret and stands elsewhere. */
  webhook: webhook.default(null),
  /** Closing the window leaves Leasehold in the tray, so that clocks and alerts go on. */
  keepInTray: z.boolean().default(false),
});
export type Settings = z.infer<typeof settingsSchema>;

export const settingsPatchSchema = z.strictObject({
  theme: z.enum(['system', 'dark', 'light']).optional(),
  demo: z
    .strictObject({
      isOn: z.boolean().optional(),
      gpuModel: z.enum(gpuModelNames).optional(),
      gpuCount: z.int().min(1).max(8).optional(),
    })
    .optional(),
  terminal: z
    .strictObject({
      fontSizePx: fontSizePx.optional(),
      scrollbackLines: scrollbackLines.optional(),
      isForScreenReader: z.boolean().optional(),
    })
    .optional(),
  facts: z.strictObject({ maxAgeMonths: maxAgeMonths.optional() }).optional(),
  costs: z
    .strictObject({
      sumIn: currency.nullable().optional(),
      /** All of them at once: one that is not named is not there any more. */
      rates: exchangeRates.optional(),
      ratesAtMs: moment.nullable().optional(),
    })
    .optional(),
  patrolEveryMin: patrolEveryMin.optional(),
  pullLimitMBps: pullLimitMBps.optional(),
  /** All of them at once. */
  keepRules: ownKeepRules.optional(),
  proofHoldsMin: proofHoldsMin.optional(),
  proofNeeds: z.enum(proofNeeds).optional(),
  notifications: z.boolean().optional(),
  alarmMarksMs: alarmMarksMs.optional(),
  webhook: webhook.optional(),
  keepInTray: z.boolean().optional(),
});
export type SettingsPatch = z.infer<typeof settingsPatchSchema>;

export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({});

export function applySettingsPatch(settings: Settings, patch: SettingsPatch): Settings {
  const { demo, terminal, costs, facts, ...flat } = patch;
  return settingsSchema.parse({
    ...settings,
    ...flat,
    demo: { ...settings.demo, ...demo },
    terminal: { ...settings.terminal, ...terminal },
    costs: { ...settings.costs, ...costs },
    facts: { ...settings.facts, ...facts },
  });
}
