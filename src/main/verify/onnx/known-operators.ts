import { NotLoadable } from '../damage.ts';
import { quoted } from '../quoted.ts';
import { OPERATORS } from './operators.ts';

/** What a node says of itself. */
export interface SaidNode {
  operator: string;
  domain: string;
  inputs: number;
  outputs: number;
  readonly attributes: string[];
}

interface Operator {
  readonly inputs: readonly [number, number];
  readonly outputs: readonly [number, number];
  readonly attributes: ReadonlySet<string>;
}

/** The domain of ONNX itself has two names. */
const OWN = 'ai.onnx';
/** Of a file, of which each is kept until it is known what else the file says. */
const MAX_DOUBTS = 1000;

interface Doubt {
  readonly domain: string;
  readonly operator: string;
  readonly why: string;
}

/**
 * The operators of a model against those of ONNX: a name in which a bit is flipped is one that nobody runs. What a writer made up in a
 * domain of its own is not asked for; what it made up in that of ONNX, only some programs run.
 */
export class KnownOperators {
  readonly #doubts: Doubt[] = [];
  readonly #versions = new Map<string, number>();
  readonly #functions = new Set<string>();

  take({ operator, domain, inputs, outputs, attributes }: SaidNode): void {
    const own = ownName(domain);
    const known = operatorsOf(own)?.get(operator);
    const doubt = (why: string): void => {
      if (this.#doubts.length < MAX_DOUBTS) this.#doubts.push({ domain: own, operator, why });
    };
    if (operatorsOf(own) === null) return;
    if (known === undefined)
      return doubt(`it has an operator ${quoted(operator)}, which ONNX has not`);
    const of = `an operator ${quoted(operator)} of it`;
    const other = attributes.find((name) => !known.attributes.has(name));
    if (other !== undefined) doubt(`${of} has ${quoted(other)}, which ONNX has not`);
    if (!isWithin(inputs, known.inputs) || !isWithin(outputs, known.outputs)) {
      doubt(`${of} takes or gives another number of values than in ONNX`);
    }
  }

  /** Which version of a domain a model is written in. */
  version(domain: string, version: number): void {
    this.#versions.set(ownName(domain), version);
  }

  /** What a model brings along by itself. */
  function(domain: string, name: string): void {
    if (this.#functions.size < MAX_DOUBTS) this.#functions.add(`${ownName(domain)} ${name}`);
  }

  /** Throws where something is asked for that nobody knows. Of a newer version than is known here, nothing is said. */
  end(): void {
    for (const { domain, operator, why } of this.#doubts) {
      const isNewer = (this.#versions.get(domain) ?? 0) > (OPERATORS[domain]?.version ?? 0);
      if (!isNewer && !this.#functions.has(`${domain} ${operator}`)) throw new NotLoadable(why);
    }
  }
}

const ownName = (domain: string): string => (domain === OWN ? '' : domain);
const isWithin = (count: number, [least, most]: readonly [number, number]): boolean =>
  count >= least && count <= most;

const read = new Map<string, ReadonlyMap<string, Operator>>();

/** Null: nothing is known of that domain. */
function operatorsOf(domain: string): ReadonlyMap<string, Operator> | null {
  if (!Object.hasOwn(OPERATORS, domain)) return null;
  const known = read.get(domain) ?? parse(OPERATORS[domain]?.operators ?? '');
  read.set(domain, known);
  return known;
}

const parse = (lines: string): ReadonlyMap<string, Operator> =>
  new Map(
    lines
      .trim()
      .split('\n')
      .map((line) => {
        const [name = '', ...rest] = line.split(' ');
        const [a = 0, b = 0, c = 0, d = 0] = rest
          .slice(0, 4)
          .map((n) => (n === '-' ? Infinity : Number(n)));
        return [name, { inputs: [a, b], outputs: [c, d], attributes: new Set(rest.slice(4)) }];
      }),
  );
