import { z } from 'zod';
import { severities } from '../detectors/finding.ts';

const MAX_TITLE_CHARS = 500;
const MAX_BODY_CHARS = 2000;
const MAX_NAME_CHARS = 200;
const MAX_ABOUT_CHARS = 1000;

/** Who listens to news. What each of them does with it, main says in one table (`src/main/app/desktop.ts`). */
export type NewsListener = 'notification' | 'tray' | 'webhook' | 'log' | 'history';

export const HERE: readonly NewsListener[] = ['notification', 'tray', 'log'];
/** SECURITY: a webhook takes it away from this machine, so a kind of news names it or does not leave. */
export const EVERYWHERE: readonly NewsListener[] = [...HERE, 'history', 'webhook'];

const boxId = z.string().max(MAX_NAME_CHARS);

/** One thing that a person is to be told, in words that were true when it happened. */
const news = z.strictObject({
  /** The same wherever it is told, and however often. */
  id: z.uuid(),
  kind: z.string().max(50),
  atMs: z.int().min(0),
  /** Null: it is of no single box. */
  box: z.strictObject({ id: boxId, name: z.string().max(MAX_NAME_CHARS) }).nullable(),
  title: z.string().max(MAX_TITLE_CHARS),
  body: z.string().max(MAX_BODY_CHARS),
  severity: z.enum(severities),
  /** What a click on it asks of the window. */
  shows: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.enum(['show-box', 'show-alerts', 'show-runs', 'show-pull', 'show-teardown']),
      boxId,
    }),
    z.strictObject({ kind: z.enum(['show-costs', 'open-settings']) }),
  ]),
  /** Takes the place of an earlier one of its kind that is about the same. */
  about: z.string().max(MAX_ABOUT_CHARS),
  /** Where the person looks already, no notification is shown: at the window, at what `shows` would show, or nowhere. */
  quietAt: z.enum(['window', 'page', 'nowhere']),
  /** As ntfy names its pictures. */
  picture: z.string().max(50),
  /** For programs at the other end of a webhook. */
  facts: z.record(z.string().max(50), z.union([z.string().max(1000), z.number(), z.null()])),
});
export type News = Readonly<z.infer<typeof news>>;
export const newsSchema: z.ZodType<News> = news;

/** Whether the person has it in front of them already. */
export function isInSight(
  { quietAt, shows }: News,
  isWindowInFront: boolean,
  isPageLookedAt: (shows: News['shows']) => boolean,
): boolean {
  if (quietAt === 'nowhere' || !isWindowInFront) return false;
  return quietAt === 'window' || isPageLookedAt(shows);
}

/** What a kind of news says of one of its occasions. */
export type NewsWords = Omit<News, 'id' | 'kind' | 'atMs' | 'picture'>;

/** One kind of news, whole: its words, and when it is told where. */
export interface NewsKind<What> extends Pick<News, 'kind' | 'picture'> {
  readonly to: readonly NewsListener[];
  /** Worth telling after a restart too, when what is open now shows itself anew. */
  readonly isKept: boolean;
  /** Null: it is no news. */
  readonly words: (what: What, atMs: number) => NewsWords | null;
}

/** As long as what is read back may be: a profile's sentences may be longer than anybody reads on a phone. */
export function makeNews(
  { kind, picture }: Pick<News, 'kind' | 'picture'>,
  { id, atMs }: Pick<News, 'id' | 'atMs'>,
  { title, body, box, about, ...words }: NewsWords,
): News {
  return {
    ...words,
    id,
    kind,
    atMs,
    picture,
    box: box && { id: box.id, name: box.name.slice(0, MAX_NAME_CHARS) },
    title: title.slice(0, MAX_TITLE_CHARS),
    body: body.slice(0, MAX_BODY_CHARS),
    about: about.slice(0, MAX_ABOUT_CHARS),
  };
}
