import { describe, expect, it } from 'vitest';
import { asEagerModules, isNeededAtStart } from './first-chunk.mjs';

describe('the first chunk', () => {
  const graph = (importers: Record<string, string[]>) => ({
    getModuleInfo: (id: string) => ({ isEntry: id === 'entry', importers: importers[id] ?? [] }),
  });

  it('takes what the entry reaches without a lazy import', () => {
    const known = graph({ page: ['entry'], shared: ['dialog', 'page'], dialog: [] });
    expect(isNeededAtStart('entry', known)).toBe(true);
    expect(isNeededAtStart('shared', known)).toBe(true);
    expect(isNeededAtStart('dialog', known)).toBe(false);
  });

  it('does not go round in circles', () => {
    expect(isNeededAtStart('a', graph({ a: ['b'], b: ['a'] }))).toBe(false);
    expect(isNeededAtStart('a', graph({ a: ['b'], b: ['a', 'entry'] }))).toBe(true);
  });
});

describe('modules that are parsed once', () => {
  it('turns the arrows around CommonJS modules into functions, and nothing else', () => {
    const code = 'var o=1,u=o((e=>{e.x=[1].map((y=>{return y}))})),d=o(((e,t)=>{t.exports=u()}));';
    expect(asEagerModules(code)).toBe(
      'var o=1,u=o((function(e){e.x=[1].map((y=>{return y}))})),d=o((function(e,t){t.exports=u()}));',
    );
  });
});
