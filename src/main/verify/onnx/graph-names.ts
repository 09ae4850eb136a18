import { Damaged } from '../damage.ts';
import { quoted } from '../quoted.ts';
import type { MessageName } from './messages.ts';

/** Of all names together, which are held until their graph ends. */
const MAX_NAME_CHARS = 32 * 1024 * 1024;
/** Nodes and names together: an empty node takes memory too. */
export const MAX_HELD = 1_000_000;

/** Fields of a graph, a function and a node that are names, or have one. */
const GRAPH = { input: 11, output: 12 };
const FUNCTION = { input: 4, output: 5 };
const NODE = { input: 1, output: 2 };
const VALUE_INFO_NAME = 1;

interface Node {
  readonly needs: string[];
  readonly gives: string[];
}

interface Scope {
  readonly isGraph: boolean;
  /** What a graph begins with: its inputs, and the tensors in it. */
  readonly given: Set<string>;
  readonly nodes: Node[];
  readonly outputs: string[];
  /** Of it, which is being read. */
  field: number;
}

/**
 * What the nodes of a graph take and give by name: each needs what stands before it, in its own graph or in one around that. A name in which a bit
 * is flipped is one that nothing gives. Of more of them than are held, nothing is asked.
 */
export class GraphNames {
  #scopes: Scope[] = [];
  #training = 0;
  #chars = 0;
  #held = 0;

  /** Whether there were more than are held. */
  get hasTooMany(): boolean {
    return this.#held > MAX_HELD || this.#chars > MAX_NAME_CHARS;
  }

  begin(message: MessageName): void {
    if (message === 'Training') this.#training += 1;
    const isGraph = message === 'Graph';
    if (message === 'Node') this.#hold(0);
    if (this.hasTooMany) return;
    if (isGraph || message === 'Function') {
      this.#scopes.push({ isGraph, given: new Set(), nodes: [], outputs: [], field: 0 });
    } else if (message === 'Node') this.#scopes.at(-1)?.nodes.push({ needs: [], gives: [] });
  }

  end(message: MessageName): void {
    if (message === 'Training') this.#training -= 1;
    if (message !== 'Graph' && message !== 'Function') return;
    const scope = this.#scopes.pop();
    if (scope === undefined) return;
    const missing = missingIn(scope);
    const around = this.#scopes.at(-1)?.nodes.at(-1);
    if (around !== undefined) for (const name of missing) around.needs.push(name);
    // What a training takes is of the graph that it trains.
    else if (this.#training === 0) {
      for (const name of missing) {
        throw new Damaged(`it needs ${quoted(name)}, and nothing before gives that`);
      }
    }
  }

  /** Whether a field of a message is a name that is told to `take`. */
  has(message: MessageName, field: number): boolean {
    const scope = this.#scopes.at(-1);
    if (message === 'Graph' && scope !== undefined) scope.field = field;
    if (message === 'Node') return field === NODE.input || field === NODE.output;
    if (message === 'Function') return field === FUNCTION.input || field === FUNCTION.output;
    // What a function says of the values in it gives none.
    return message === 'ValueInfo' && field === VALUE_INFO_NAME && scope?.isGraph === true;
  }

  take(message: MessageName, field: number, name: string): void {
    this.#hold(name.length);
    const scope = this.#scopes.at(-1);
    const node = scope?.nodes.at(-1);
    if (message === 'Node') (field === NODE.input ? node?.needs : node?.gives)?.push(name);
    else if (message === 'Function') {
      if (field === FUNCTION.input) scope?.given.add(name);
      else scope?.outputs.push(name);
    } else if (scope?.field === GRAPH.input) scope.given.add(name);
    else if (scope?.field === GRAPH.output) scope.outputs.push(name);
  }

  /** A tensor that stands in a graph. */
  tensor(name: string): void {
    if (name !== '') this.take('Function', FUNCTION.input, name);
  }

  #hold(chars: number): void {
    this.#held += 1;
    this.#chars += chars;
    if (this.hasTooMany) this.#scopes = [];
  }
}

/** What is needed in it and not given there. An input that is left out has an empty name. */
function missingIn({ given, nodes, outputs }: Scope): ReadonlySet<string> {
  const missing = new Set<string>();
  const need = (name: string): void => {
    if (name !== '' && !given.has(name)) missing.add(name);
  };
  for (const { needs, gives } of nodes) {
    needs.forEach(need);
    for (const name of gives) given.add(name);
  }
  outputs.forEach(need);
  return missing;
}
