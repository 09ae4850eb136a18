/** Pieces of a pickle, written by hand as an attacker would. */
export const u32 = (value: number): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes.toString('latin1');
};
export const text = (value: string): string => `X${u32(Buffer.byteLength(value))}${value}`;
export const int = (value: number): string => `J${u32(value)}`;
export const tuple = (...items: string[]): string => `(${items.join('')}t`;
export const global = (module: string, name: string): string => `c${module}\n${name}\n`;
export const call = (what: string, ...args: string[]): string => `${what}${tuple(...args)}R`;
export const pickled = (body: string): Buffer => Buffer.from(`\x80\x02${body}.`, 'latin1');

interface DescribedTensor {
  readonly key?: string;
  readonly storage?: string;
  readonly elements?: number;
  readonly offset?: number;
  readonly shape?: readonly number[];
  readonly strides?: readonly number[];
}

/** As torch describes a tensor of four numbers, where nothing else is told. */
export function tensor(told: DescribedTensor = {}): string {
  const { key = '0', storage = 'FloatStorage', elements = 4, offset = 0 } = told;
  const { shape = [4], strides = [1] } = told;
  const outside = tuple(
    text('storage'),
    global('torch', storage),
    text(key),
    text('cpu'),
    int(elements),
  );
  return call(
    global('torch._utils', '_rebuild_tensor_v2'),
    `${outside}Q`,
    int(offset),
    tuple(...shape.map(int)),
    tuple(...strides.map(int)),
    '\x89',
    call(global('collections', 'OrderedDict')),
  );
}
