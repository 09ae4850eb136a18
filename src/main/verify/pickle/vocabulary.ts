import { encode, NUMPY_RULES } from './numpy-values.ts';
import { isGroup, isKind, keyOf, type Group, type Rule } from './values.ts';

/** Values without a part that anybody runs: their parts are written down. */
const plain: Rule = { call: (args) => ({ kind: 'made', parts: [...args] }) };

/** Their first argument, where there is one, holds what is in them at first. */
const group = (kind: Group['kind']): Rule => ({
  call: ([first]) => ({
    kind,
    items: isGroup(first) && first.kind === kind ? [...first.items] : [],
  }),
});

/** Before there was an opcode for it: a class, the one below it, and what that begins with. */
const reconstructor: Rule = {
  call: ([what, , begin]) =>
    isKind(what, 'global') && what.rule?.call !== undefined
      ? what.rule.call(begin === null || begin === undefined ? [] : [begin])
      : { kind: 'made', parts: [] },
};

const bytes: Rule = {
  call: ([text]) =>
    text === undefined || isGroup(text)
      ? { kind: 'bytes', at: null, length: text?.items.length ?? 0 }
      : isKind(text, 'bytes')
        ? text
        : encode([text]),
};

const MODULES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  builtins: {
    ...named('int float bool str complex object long range xrange slice', plain),
    ...{ set: group('set'), frozenset: group('set'), list: group('list'), tuple: group('tuple') },
    ...{ dict: group('dict'), bytes, bytearray: bytes },
  },
  collections: {
    ...{ OrderedDict: group('dict'), Counter: group('dict'), deque: group('list') },
    defaultdict: { call: () => ({ kind: 'dict', items: [] }) },
  },
  copyreg: { _reconstructor: reconstructor },
  _codecs: { encode: { call: encode } },
  argparse: { Namespace: plain },
  types: { SimpleNamespace: plain },
  datetime: named('date datetime time timedelta timezone', plain),
  decimal: { Decimal: plain },
  fractions: { Fraction: plain },
  uuid: { UUID: plain },
  ...Object.fromEntries(
    ['pathlib', 'pathlib._local'].map((module) => [
      module,
      named('Path PosixPath WindowsPath PurePath PurePosixPath PureWindowsPath', plain),
    ]),
  ),
};

function named(names: string, rule: Rule): Record<string, Rule> {
  return Object.fromEntries(names.split(' ').map((name) => [name, rule]));
}

/** What everyday pickles of plain values and arrays name. It is a list of what is allowed: lists of what is not have always had holes. */
export const PYTHON_RULES: readonly (readonly [string, Rule])[] = [
  ...Object.entries(MODULES).flatMap(([module, rules]) =>
    Object.entries(rules).map(([name, rule]): [string, Rule] => [keyOf(module, name), rule]),
  ),
  ...NUMPY_RULES,
];
