import { settingsSchema, type Settings } from '../../shared/settings/settings.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface ReadSettings {
  readonly settings: Settings;
  /** The file's own object. What a newer version wrote into it goes back into the file at the next save. */
  readonly raw: JsonObject;
  /** Fields that were there but could not be understood, as `demo.gpuCount`; they have their defaults now. */
  readonly dropped: readonly string[];
}

export const NO_SETTINGS_FILE: ReadSettings = {
  settings: settingsSchema.parse({}),
  raw: {},
  dropped: [],
};

/** Reads field by field: one bad value costs that value, not the others. Null: this is no settings file at all. */
export function parseSettings(text: string): ReadSettings | null {
  const raw = parseObject(text);
  if (raw === null) return null;
  const dropped: string[] = [];
  let candidate = raw;
  for (;;) {
    const read = settingsSchema.safeParse(candidate);
    if (read.success) return { settings: read.data, raw: candidate, dropped };
    for (const { path } of read.error.issues) {
      const next = without(candidate, path.map(String));
      // Every field has a default, so each complaint is about something that is there and can be taken out.
      if (next === candidate) return null;
      candidate = next;
      dropped.push(path.join('.'));
    }
  }
}

/** Earlier versions kept here what the window remembers by itself now, some of it by box id. */
const FORMER = [
  ['fleet'],
  ['boxKeys'],
  ['keyOffersDismissed'],
  ['facts', 'briefed'],
  ['facts', 'guessesDeclined'],
] as const;

export function withoutFormer(raw: JsonObject): JsonObject {
  return FORMER.reduce<JsonObject>((rest, path) => without(rest, path), raw);
}

/** The settings laid over what was in the file, so that unknown fields stay. */
export function renderSettings(settings: Settings, raw: JsonObject): string {
  return `${JSON.stringify(overlay(raw, settings), null, 2)}\n`;
}

function parseObject(text: string): JsonObject | null {
  try {
    // Editors on Windows put a byte order mark in front, which JSON does not know.
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isObject(value) ? value : null;
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

function without(object: JsonObject, [key, ...rest]: readonly string[]): JsonObject {
  if (key === undefined || !Object.hasOwn(object, key)) return object;
  const child = object[key];
  if (rest.length === 0 || !isObject(child)) {
    return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
  }
  const nextChild = without(child, rest);
  return nextChild === child ? object : overlayOne(object, key, nextChild);
}

function overlay(under: JsonObject, over: JsonObject): JsonObject {
  let result = under;
  for (const [key, value] of Object.entries(over)) {
    const below = Object.hasOwn(under, key) ? under[key] : undefined;
    result = overlayOne(
      result,
      key,
      isObject(below) && isObject(value) ? overlay(below, value) : value,
    );
  }
  return result;
}

/** Goes through entries, because assigning to a key named `__proto__` does something else. */
function overlayOne(object: JsonObject, key: string, value: unknown): JsonObject {
  const kept = Object.entries(object);
  const at = kept.findIndex(([name]) => name === key);
  if (at === -1) kept.push([key, value]);
  else kept[at] = [key, value];
  return Object.fromEntries(kept);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
