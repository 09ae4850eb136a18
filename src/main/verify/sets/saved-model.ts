import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged } from '../damage.ts';
import { plural } from '../plural.ts';
import { fieldsOf } from '../protobuf.ts';
import { quoted } from '../quoted.ts';
import { StrictUtf8 } from '../utf8.ts';
import type { FileSet } from './file-set.ts';

const MAX_NAME_BYTES = 4096;

/** What `tf.saved_model.save` writes: the graph, `variables/` and `assets/`. Its variables are a checkpoint, and a set of their own. */
export const savedModel: FileSet = {
  kind: 'saved-model',
  leads: /^saved_model\.pb$/i,
  async read(leader, folder) {
    const { graphs, assets, hasObjects } = await folder.open(leader, readGraphs);
    if (hasObjects && !folder.members.has('variables/variables.index')) {
      throw new Damaged('its variables are not here');
    }
    for (const asset of assets) {
      if (!folder.members.has(`assets/${asset}`)) {
        throw new Damaged(`its asset ${quoted(asset)} is not here`);
      }
    }
    return `${plural(graphs, 'graph')}, ${plural(assets.length, 'asset')}`;
  },
};

interface Graphs {
  readonly graphs: number;
  readonly assets: readonly string[];
  /** As TensorFlow 2 writes it, whose loader asks for the variables. */
  readonly hasObjects: boolean;
}

/** `saved_model.proto`: meta graphs (2), and in each its graph (2), its assets (6) and its objects (7). */
function readGraphs(source: ByteSource): Graphs {
  const assets: string[] = [];
  let [graphs, hasObjects] = [0, false];
  const cursor = new Cursor(source, 'it');
  for (const meta of fieldsOf(cursor, source.sizeBytes)) {
    if (meta.field !== 2 || meta.wire !== 2) continue;
    const end = meta.at + meta.value;
    let hasGraph = false;
    for (const { field, wire, value, at } of fieldsOf(cursor, end)) {
      if (wire !== 2) continue;
      hasGraph ||= field === 2;
      hasObjects ||= field === 7;
      if (field === 6) assets.push(readAsset(cursor, at + value));
    }
    if (!hasGraph) throw new Damaged('a graph of it is missing');
    graphs += 1;
  }
  if (graphs === 0) throw new Damaged('it has no graph');
  return { graphs, assets, hasObjects };
}

function readAsset(cursor: Cursor, end: number): string {
  let name = '';
  for (const { field, wire, value } of fieldsOf(cursor, end)) {
    if (field !== 2 || wire !== 2) continue;
    if (value > MAX_NAME_BYTES) throw new Damaged('the name of an asset is longer than any');
    name = new StrictUtf8('the name of an asset').decode(cursor.bytes(value));
  }
  return name;
}
