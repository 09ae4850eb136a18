import type { BoxMeter } from '../../../shared/meter/box-meter.ts';
import type { Profile } from '../../../shared/profiles/profile.ts';
import { endVerbs, verbTitle } from '../../../shared/teardown/end-verb.ts';
import {
  effectsOf,
  type TierEffect,
  type VerbEffects,
} from '../../../shared/teardown/verb-effects.ts';
import { BurnFigure, LiveSpent } from '../../costs/cost-figures.tsx';
import { FactStamp } from '../../facts/fact-stamp.tsx';
import { endOf, NOT_SAID, rateWords, survivalOf, yesNoWords } from '../../facts/fact-words.ts';
import { JudgedWord } from '../../facts/judged-cell.tsx';
import { selectMeter, useMeter } from '../../state/feeds.ts';
import { Dash } from '../../ui/figure.tsx';
import { AccountSaid } from './account-said.tsx';
import type { AccountAsked } from './use-account.ts';
import { Invented, NoEnds, RestVerbs } from './beside-verbs.tsx';
import styles from './cost-step.module.css';

interface CostStepProps {
  readonly boxId: string;
  readonly profile: Profile | null;
  /** Who is linked, and what they were asked; null: nobody is. */
  readonly provider: string | null;
  readonly asked: AccountAsked;
}

/** What the box has cost, what waiting costs, and what each way to end it leaves to be paid for. */
export function CostStep({ boxId, profile, provider, asked }: CostStepProps) {
  const meter = useMeter(selectMeter(boxId));
  const verbs = profile === null ? [] : endVerbs(profile);
  return (
    <>
      <Figures meter={meter} />
      {profile === null || verbs.length === 0 ? (
        <p className={styles['lead']}>
          What is billed afterwards is not known: Leasehold does not know what ends a box on this
          platform. Choose its platform under Facts.
        </p>
      ) : (
        <>
          <Compared {...{ meter, profile }} all={verbs.map((verb) => effectsOf(profile, verb))} />
          <NoEnds profile={profile} />
          <RestVerbs profile={profile} />
        </>
      )}
      {provider !== null && <AccountSaid {...{ boxId, provider, meter, asked }} />}
      {profile !== null && <Invented profile={profile} />}
    </>
  );
}

function Figures({ meter }: { readonly meter: BoxMeter | null }) {
  return (
    <dl className={styles['figures']}>
      <div>
        <dt>So far</dt>
        <dd>
          {meter === null ? (
            <Dash why="The costs were not read yet" />
          ) : (
            <LiveSpent meters={[meter]} period="total" />
          )}
        </dd>
      </div>
      <div>
        <dt>Each hour that you wait</dt>
        <dd>
          <BurnFigure burn={meter?.burnPerHour ?? null} per="" />
        </dd>
      </div>
      <div>
        <dt>Each day that you wait</dt>
        <dd>
          <BurnFigure
            burn={meter === null || meter.phase === null ? null : meter.perDay[meter.phase]}
            per=""
          />
        </dd>
      </div>
    </dl>
  );
}

interface ComparedProps {
  readonly meter: BoxMeter | null;
  readonly profile: Profile;
  readonly all: readonly VerbEffects[];
}

/** The verbs side by side: what stays, what is deleted, what goes on being billed, and which clock begins. */
function Compared({ meter, profile, all }: ComparedProps) {
  const { sources } = profile;
  return (
    <div className={styles['scroll']}>
      <table className={styles['compared']}>
        <caption>What is left afterwards</caption>
        <thead>
          <tr>
            <td />
            {all.map(({ verb }) => (
              <th key={verb.verb} scope="col">
                {verbTitle(verb)}
                <FactStamp {...verb} sources={sources} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Costs afterwards</th>
            {all.map(({ verb, billedAs }) => (
              <td key={verb.verb} className={styles['sum']}>
                <BurnFigure burn={meter?.perDay[billedAs] ?? null} per=" a day" />
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">Bill for the machine</th>
            {all.map(({ verb }) => (
              <td key={verb.verb}>
                <JudgedWord judged={endOf(verb.stopsCompute)} />
              </td>
            ))}
          </tr>
          {profile.storage.map((tier, at) => (
            <tr key={tier.name}>
              <th scope="row">
                {tier.name}
                <FactStamp {...tier} sources={sources} />
              </th>
              {all.map(({ verb, tiers }) => (
                <TierCell key={verb.verb} effect={tiers[at]} />
              ))}
            </tr>
          ))}
          {all.some(({ verb }) => verb.leaves.length > 0) && (
            <tr>
              <th scope="row">Also billed</th>
              {all.map(({ verb }) => (
                <td key={verb.verb}>{verb.leaves.map(leftWords).join('; ') || 'nothing known'}</td>
              ))}
            </tr>
          )}
          <tr>
            <th scope="row">Starts then</th>
            {all.map((effects) => (
              <td key={effects.verb.verb}>
                <Clocks {...{ effects, sources }} />
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">Can be undone</th>
            {all.map(({ verb }) => (
              <td key={verb.verb}>
                {yesNoWords(verb.isReversible)}
                {verb.note !== null && <small>{verb.note}</small>}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function TierCell({ effect }: { readonly effect: TierEffect | undefined }) {
  if (effect === undefined) return <td>{NOT_SAID}</td>;
  const { survives, rate } = effect;
  return (
    <td>
      <JudgedWord judged={survivalOf(survives)} />
      {survives !== false && <small>{rateWords(rate) ?? 'what it costs is not known'}</small>}
    </td>
  );
}

/** What is billed and is no place for data, such as an address. */
const leftWords = ({ what, rate }: VerbEffects['verb']['leaves'][number]): string =>
  `${what}: ${rateWords(rate) ?? 'what it costs is not known'}`;

interface ClocksProps {
  readonly effects: VerbEffects;
  readonly sources: readonly string[];
}

function Clocks({ effects: { clocks }, sources }: ClocksProps) {
  if (clocks.length === 0) return <>no known clock</>;
  return (
    <ul>
      {clocks.map((clock) => (
        <li key={clock.id}>
          {clock.after === null ? '' : `${clock.after}: `}
          {clock.consequence}
          <FactStamp {...clock} sources={sources} />
        </li>
      ))}
    </ul>
  );
}
