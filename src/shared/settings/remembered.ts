import { z } from 'zod';
import { standingGroups } from '../boxes/standing.ts';
import { DEFAULT_FLEET_VIEW, fleetColumns, fleetGroupings } from './fleet-view.ts';

const boxIds = z.array(z.uuid()).max(1000).readonly();

/** What the window remembers for a person, field by field. None of it is chosen in Settings, and none is missed for long. */
export const rememberedFields = {
  fleet: z.strictObject({
    sortBy: z.enum(fleetColumns).nullable(),
    isDescending: z.boolean(),
    groupBy: z.enum(fleetGroupings),
    filter: z.strictObject({
      text: z.string().max(500),
      states: z.array(z.enum(standingGroups)).max(standingGroups.length).readonly(),
    }),
    collapsed: z.array(z.string().max(300)).max(1000).readonly(),
  }),
  /** Platforms of which the person has seen what to know before they start. */
  briefed: z.array(z.string().min(1).max(100)).max(1000).readonly(),
  /** Boxes whose platform the person does not want to have guessed. */
  guessesDeclined: boxIds,
  /** Boxes for which the person does not want to be offered a key. */
  keyOffersDismissed: boxIds,
  /** The private key that was installed on a box from here, by box id: it is offered there first. */
  boxKeys: z.record(z.uuid(), z.string().min(1).max(1000)),
};
export type Remembered = {
  readonly [Name in keyof typeof rememberedFields]: z.infer<(typeof rememberedFields)[Name]>;
};

/** What the window shows of it, and changes by itself. */
export type RememberedView = Pick<Remembered, 'fleet' | 'briefed' | 'guessesDeclined'>;

export const rememberedPatch = z.strictObject({
  fleet: rememberedFields.fleet.exactOptional(),
  briefed: rememberedFields.briefed.exactOptional(),
  guessesDeclined: rememberedFields.guessesDeclined.exactOptional(),
});
export type RememberedPatch = Readonly<z.infer<typeof rememberedPatch>>;

export const NOTHING_REMEMBERED: Remembered = {
  fleet: DEFAULT_FLEET_VIEW,
  briefed: [],
  guessesDeclined: [],
  keyOffersDismissed: [],
  boxKeys: {},
};
