import { Damaged } from '../damage.ts';
import type { Message } from './messages.ts';
import type { Hdf5File } from './parts.ts';
import { readElement, readShape } from './types.ts';

const [FILL, ATTRIBUTE] = [0x05, 0x0c];
const [TYPE_SHARED, SHAPE_SHARED] = [1, 2];
const OF = 'an attribute';

/** What an object says in its own messages: each attribute with its name, its type, its shape and as many bytes as these take. */
export function checkMessages(file: Hdf5File, messages: readonly Message[]): void {
  for (const message of messages) {
    if (message.isShared) continue;
    if (message.type === ATTRIBUTE) checkAttribute(file, message);
    if (message.type === FILL) checkFill(file, message);
  }
}

function checkAttribute(file: Hdf5File, { at, bytes }: Message): void {
  const cursor = file.cursor(at, bytes, OF);
  const [version, flags] = [cursor.u8(), cursor.u8()];
  if (version < 1 || version > 3) throw new Damaged(`${OF} is of no known version`);
  const [name, type, shape] = [cursor.u16(), cursor.u16(), cursor.u16()];
  if (version === 3) cursor.skip(1);
  const padded = (length: number): number => (version === 1 ? Math.ceil(length / 8) * 8 : length);
  const letters = cursor.bytes(name);
  if (name < 2 || letters.indexOf(0) < 0) throw new Damaged(`${OF} has a name without an end`);
  cursor.skip(padded(name) - name);
  const typeAt = cursor.at;
  cursor.skip(padded(type));
  const shapeAt = cursor.at;
  cursor.skip(padded(shape));
  const isOwn = (shared: number): boolean => version === 1 || (flags & shared) === 0;
  if (!isOwn(TYPE_SHARED) || !isOwn(SHAPE_SHARED)) return;
  const element = readElement(file, { at: typeAt, bytes: type });
  const sizes = readShape(file, { at: shapeAt, bytes: shape }).shape;
  const needed = sizes.reduce((product, size) => product * size, element.bytes);
  if (needed > cursor.left) throw new Damaged(`${OF} is shorter than its shape says`);
  file.lists.take({ at: cursor.at, bytes: needed, element, of: OF });
}

/** What is there before anything is written. */
function checkFill(file: Hdf5File, { at, bytes }: Message): void {
  const cursor = file.cursor(at, bytes, 'an object');
  const version = cursor.u8();
  if (version < 1 || version > 3) throw new Damaged('what fills up data is of no known version');
  if (version === 3) {
    if ((cursor.u8() & 0x20) === 0) return;
  } else {
    cursor.skip(2);
    if (cursor.u8() === 0 && version === 2) return;
  }
  // Below zero there is none.
  const size = cursor.i32();
  if (size > 0) cursor.skip(size);
}
