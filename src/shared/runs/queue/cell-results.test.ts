import { expect, it } from 'vitest';
import { resultsError } from './cell-results.ts';

const cells = ['a', 'b'].map((name) => ({ name, command: 'x', isCommented: false }));

it('wants a folder above those of the cells, as all that lies beside them would count as results', () => {
  for (const pattern of ['{cell}', './{cell}', '../{cell}', '~/{cell}', '/{cell}', 'out-{cell}']) {
    expect(resultsError(cells, pattern)).toContain('such as results/{cell}');
  }
  for (const pattern of ['out/{cell}', '~/out/{cell}', '/data/x-{cell}', './out/{cell}/deep']) {
    expect(resultsError(cells, pattern)).toBeNull();
  }
});
