import { useMemo, useState } from 'react';
import type { SshAddress } from '../../../shared/boxes/address.ts';
import type { SshForward } from '../../../shared/boxes/ssh-forward.ts';
import { guessPlatform, type PlatformGuess } from '../../../shared/profiles/guess-platform.ts';
import { UNSAID_PLATFORM } from '../../../shared/profiles/platform-names.ts';
import type { Profile } from '../../../shared/profiles/profile.ts';
import { selectAllEntries, selectMeters, useFleet, useMeter } from '../../state/feeds.ts';
import { priceFor } from '../../costs/price/price-form.ts';
import { useProfiles } from '../../state/profiles.ts';
import {
  lastRental,
  NO_RENTAL,
  readRental,
  type LastRental,
  type RentalErrors,
  type RentalValues,
} from './rental-form.ts';
import type { ToldRental } from './tell-rental.ts';

const NO_PROFILES: readonly Profile[] = [];
const NO_ERRORS: RentalErrors = {};

export interface RentalForm {
  readonly profiles: readonly Profile[];
  readonly platform: string;
  readonly guess: PlatformGuess | null;
  /** The person chose none of the platforms: it is not asked again once the box is added. */
  readonly isGuessDeclined: boolean;
  readonly last: LastRental | null;
  readonly values: RentalValues;
  readonly errors: RentalErrors;
  readonly left: readonly number[];
  readonly change: (part: Partial<RentalValues>) => void;
  readonly choosePlatform: (platform: string) => void;
  readonly leave: (ports: readonly number[]) => void;
  /** Null: something is wrong with it, which stands at its field from now on. */
  readonly read: () => ToldRental | null;
}

/** Provider, price, end and tunnels of a box that is being added. What the address and the last such box tell is filled in until the person types. */
export function useRental(
  address: Pick<SshAddress, 'host' | 'user'>,
  forwards: readonly SshForward[],
): RentalForm {
  const feed = useProfiles();
  const entries = useFleet(selectAllEntries);
  const meters = useMeter(selectMeters);
  const [chosen, setChosen] = useState<string | null>(null);
  const [typed, setTyped] = useState<Partial<RentalValues>>({});
  const [errors, setErrors] = useState(NO_ERRORS);
  const [left, setLeft] = useState<readonly number[]>([]);
  const profiles = useMemo(
    () => (feed.kind === 'live' ? feed.state.all.map(({ profile }) => profile) : NO_PROFILES),
    [feed],
  );
  const guess = chosen === null ? guessPlatform(profiles, address, []) : null;
  const platform = chosen ?? guess?.platform ?? UNSAID_PLATFORM;
  const last = lastRental(entries, meters, platform);
  const currency = profiles.find(({ id }) => id === platform)?.prices[0]?.price.currency;
  const usual = { ...NO_RENTAL, ...(currency !== undefined && { currency }) };
  const known = { ...usual, ...last?.values, ...typed };
  // What was filled in is for what is chosen; what was typed stays as it was typed.
  const values =
    last === null || typed.price !== undefined
      ? known
      : { ...known, price: priceFor(last.values, known.per) };
  return {
    ...{ profiles, platform, guess, last, values, errors, left },
    isGuessDeclined: chosen === UNSAID_PLATFORM,
    change: (part) => {
      setTyped((before) => ({ ...before, ...part }));
      setErrors(NO_ERRORS);
    },
    choosePlatform: setChosen,
    leave: setLeft,
    read: () => {
      const answer = readRental(values, Date.now());
      setErrors('errors' in answer ? answer.errors : NO_ERRORS);
      if ('errors' in answer) return null;
      const wanted = forwards.filter(({ listenPort }) => !left.includes(listenPort));
      return { ...answer.read, platform, forwards: wanted };
    },
  };
}
