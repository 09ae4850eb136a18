import { Damaged, NotLoadable } from '../damage.ts';
import { quoted } from '../quoted.ts';
import type { MessageName } from './messages.ts';

/** Of all names together, which are held until their graph ends. */
const MAX_NAME_CHARS = 32 * 1024 * 1024;

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
  /** What a graph begins with: its inputs, and the tensors in it. */
  readonly given: Set<string>;
  readonly nodes: Node[];
  readonly outputs: string[];
}

/**
 * What the nodes of a graph take and give by name: each needs what stands before it, in its own graph or in one around that. A name in which a bit
 * is flipped is one that nothing gives.
 */
export class GraphNames {
  readonly #scopes: Scope[] = [];
  #training = 0;
  #field = 0;
  #chars = 0;

  begin(message: MessageName): void {
    if (message === 'Graph' || message === 'Function') {
      this.#scopes.push({ given: new Set(), nodes: [], outputs: [] });
    } else if (message === 'Node') this.#scopes.at(-1)?.nodes.push({ needs: [], gives: [] });
    else if (message === 'Training') this.#training += 1;
  }

  end(message: MessageName): void {
    if (message === 'Training') this.#training -= 1;
    if (message !== 'Graph' && message !== 'Function') return;
    const scope = this.#scopes.pop();
    if (scope === undefined) return;
    const missing = missingIn(scope);
    const around = this.#scopes.at(-1)?.nodes.at(-1);
    if (around !== undefined) around.needs.push(...missing);
    // What a training takes is of the graph that it trains.
    else if (this.#training === 0 && missing[0] !== undefined) {
      throw new Damaged(`it needs ${quoted(missing[0])}, and nothing before gives that`);
    }
  }

  /** Whether a field of a message is a name that is told to `take`. */
  has(message: MessageName, field: number): boolean {
    if (message === 'Graph') this.#field = field;
    if (message === 'Node') return field === NODE.input || field === NODE.output;
    if (message === 'Function') return field === FUNCTION.input || field === FUNCTION.output;
    return message === 'ValueInfo' && field === VALUE_INFO_NAME && this.#scopes.length > 0;
  }

  take(message: MessageName, field: number, name: string): void {
    this.#chars += name.length;
    if (this.#chars > MAX_NAME_CHARS) {
      throw new NotLoadable('the names in it are longer than Leasehold looks at');
    }
    const scope = this.#scopes.at(-1);
    const node = scope?.nodes.at(-1);
    if (message === 'Node') (field === NODE.input ? node?.needs : node?.gives)?.push(name);
    else if (message === 'Function') {
      if (field === FUNCTION.input) scope?.given.add(name);
      else scope?.outputs.push(name);
    } else if (this.#field === GRAPH.input) scope?.given.add(name);
    else if (this.#field === GRAPH.output) scope?.outputs.push(name);
  }

  /** A tensor that stands in a graph. */
  tensor(name: string): void {
    if (name !== '') this.take('Function', FUNCTION.input, name);
  }
}

/** What is needed in it and not given there. An input that is left out has an empty name. */
function missingIn({ given, nodes, outputs }: Scope): readonly string[] {
  const missing: string[] = [];
  const need = (name: string): void => {
    if (name !== '' && !given.has(name)) missing.push(name);
  };
  for (const { needs, gives } of nodes) {
    needs.forEach(need);
    for (const name of gives) given.add(name);
  }
  outputs.forEach(need);
  return missing;
}
