import { Damaged } from '../damage.ts';
import { PixelBits, type Codes } from './jpeg-codes.ts';

/** Of a block of 8 × 8 pixels. */
const LAST_NUMBER = 63;
const BLOCK = 8;
/** In one unit of a scan, as the format has it. */
const MAX_UNIT_BLOCKS = 10;
/** 270 million pixels: of each block eight bytes are kept. Of larger images the codes are not looked at. */
const MAX_BLOCKS = 4_194_304;
/** To one block, which takes no bits where its end is told by one before it. Encoders have up to ten scans of each. */
const MAX_VISITS = 16;
/** No value has more bits. */
const MAX_DC_BITS = 15;

/** One of the colours that an image is made of. */
export interface Component {
  readonly id: number;
  readonly across: number;
  readonly down: number;
  readonly steps: number;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly isProgressive: boolean;
  /** Whether its pixels are in codes of Huffman's. */
  readonly hasCodes: boolean;
  readonly components: readonly Component[];
}

interface Plane extends Component {
  /** Of blocks: how many the image has of it, and in how many they are kept. */
  readonly columns: number;
  readonly rows: number;
  readonly keptColumns: number;
  /** Which numbers of each block are not zero: later scans refine those. */
  readonly set: Uint32Array;
}

export interface ScanPart {
  readonly id: number;
  readonly dc: Codes | null;
  readonly ac: Codes | null;
}

export interface ScanSettings {
  readonly parts: readonly ScanPart[];
  readonly first: number;
  readonly last: number;
  /** Whether it refines by one bit what earlier scans gave. */
  readonly isFiner: boolean;
  /** Units between two restarts; 0: there are none. */
  readonly interval: number;
}

/** What the scans of one image are checked against. Null: its codes are not looked at. */
export class JpegPixels {
  readonly #frame: Frame;
  readonly #planes: readonly Plane[];
  readonly #unitsAcross: number;
  readonly #unitsDown: number;
  readonly #budget: Budget;

  static of(frame: Frame): JpegPixels | null {
    const most = frame.components.reduce((sum, { across, down }) => sum + across * down, 0);
    const [unitsAcross, unitsDown] = unitsOf(frame);
    const isLooked = frame.hasCodes && frame.height > 0;
    return isLooked && unitsAcross * unitsDown * most <= MAX_BLOCKS ? new JpegPixels(frame) : null;
  }

  private constructor(frame: Frame) {
    this.#frame = frame;
    [this.#unitsAcross, this.#unitsDown] = unitsOf(frame);
    const [across, down] = largestOf(frame);
    this.#planes = frame.components.map((component) => {
      const keptColumns = this.#unitsAcross * component.across;
      const blocks = keptColumns * this.#unitsDown * component.down;
      return {
        ...component,
        columns: Math.ceil((frame.width * component.across) / across / BLOCK),
        rows: Math.ceil((frame.height * component.down) / down / BLOCK),
        keptColumns,
        set: new Uint32Array(frame.isProgressive ? blocks * 2 : 0),
      };
    });
    const blocks = this.#planes.reduce((sum, { columns, rows }) => sum + columns * rows, 0);
    this.#budget = new Budget(MAX_VISITS * blocks);
  }

  /** Null: the codes that it is written in are told nowhere. */
  scan(settings: ScanSettings): ScanPass | null {
    const { isProgressive } = this.#frame;
    const used = settings.parts.map((part) => {
      const plane = this.#planes.find(({ id }) => id === part.id);
      if (plane === undefined) throw new Damaged('a scan of it is of a colour that it has not');
      return { ...part, plane };
    });
    const [only, another] = used;
    const blocks = used.reduce((sum, { plane }) => sum + plane.across * plane.down, 0);
    if (another !== undefined && blocks > MAX_UNIT_BLOCKS) {
      throw new Damaged('a scan of it has more in one unit than there can be');
    }
    const needsDc = settings.first === 0 && !(isProgressive && settings.isFiner);
    const needsAc = !isProgressive || settings.first > 0;
    const hasCodes = used.every(
      ({ dc, ac }) => (!needsDc || dc !== null) && (!needsAc || ac !== null),
    );
    if (!hasCodes || only === undefined || this.#budget.isSpent) return null;
    // Those of a lossless image may have more, and are not looked at.
    if (needsDc && used.some(({ dc }) => dc !== null && dc.most > MAX_DC_BITS)) {
      throw new Damaged('a table of codes has one that stands for nothing');
    }
    // A colour alone has as many blocks as the image takes; several have whole units.
    const [columns, rows] =
      another === undefined
        ? [only.plane.columns, only.plane.rows]
        : [this.#unitsAcross, this.#unitsDown];
    return new ScanPass(isProgressive, settings, used, columns, columns * rows, this.#budget);
  }
}

function largestOf({ components }: Frame): readonly [number, number] {
  return [
    Math.max(...components.map(({ across }) => across)),
    Math.max(...components.map(({ down }) => down)),
  ];
}

function unitsOf(frame: Frame): readonly [number, number] {
  const [across, down] = largestOf(frame);
  return [Math.ceil(frame.width / (BLOCK * across)), Math.ceil(frame.height / (BLOCK * down))];
}

interface UsedPart extends ScanPart {
  readonly plane: Plane;
}

/** How often one more block may be gone to. A file can say with a few bytes that all of them are over, and say it again and again. */
class Budget {
  #left: number;

  constructor(visits: number) {
    this.#left = visits;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }

  /** What takes bits is bounded by them. */
  grant(bits: number): void {
    if (!this.isSpent) this.#left += bits;
  }

  spend(visits: number): void {
    this.#left -= visits;
  }
}

/** The units of one scan, from restart to restart. */
export class ScanPass {
  readonly #isProgressive: boolean;
  readonly #settings: ScanSettings;
  readonly #parts: readonly UsedPart[];
  readonly #columns: number;
  readonly #units: number;
  readonly #budget: Budget;
  /** A scan whose ends of blocks take nothing else: they can be stepped over. */
  readonly #isRough: boolean;
  #done = 0;
  /** Blocks that are over before they begin. */
  #endRun = 0;

  constructor(
    isProgressive: boolean,
    settings: ScanSettings,
    parts: readonly UsedPart[],
    columns: number,
    units: number,
    budget: Budget,
  ) {
    this.#isProgressive = isProgressive;
    this.#settings = settings;
    this.#parts = parts;
    this.#columns = columns;
    this.#units = units;
    this.#budget = budget;
    this.#isRough = isProgressive && settings.first > 0 && !settings.isFiner;
  }

  /** Whether its codes were looked at, and not only some of them. */
  get isLooked(): boolean {
    return !this.#budget.isSpent;
  }

  /** What stands between two restarts, or before and behind all of them. */
  take(bytes: Uint8Array, isLast: boolean): void {
    const { interval } = this.#settings;
    const left = this.#units - this.#done;
    const count = interval === 0 ? left : Math.min(interval, left);
    if ((isLast && count < left) || (!isLast && interval === 0)) {
      throw new Damaged('a part of its pixels is missing');
    }
    if (left === 0 && bytes.length > 0) {
      throw new Damaged('it has more pixels than its size says');
    }
    const bits = new PixelBits(bytes);
    this.#endRun = 0;
    this.#budget.grant(8 * bytes.length);
    for (let no = 0; no < count && !this.#budget.isSpent;) {
      const over = this.#isRough ? Math.min(this.#endRun, count - no) : 0;
      if (over === 0) this.#unit(bits, this.#done + no);
      this.#endRun -= over;
      no += Math.max(over, 1);
    }
    this.#done += count;
  }

  #unit(bits: PixelBits, no: number): void {
    const [column, row] = [no % this.#columns, Math.floor(no / this.#columns)];
    const [only, another] = this.#parts;
    if (another === undefined && only !== undefined) {
      this.#block(bits, only, row * only.plane.keptColumns + column);
      return;
    }
    for (const part of this.#parts) {
      const { across, down, keptColumns } = part.plane;
      for (let y = 0; y < down; y += 1) {
        for (let x = 0; x < across; x += 1) {
          this.#block(bits, part, (row * down + y) * keptColumns + column * across + x);
        }
      }
    }
  }

  #block(bits: PixelBits, { dc, ac, plane }: UsedPart, block: number): void {
    this.#budget.spend(1);
    const { first, isFiner } = this.#settings;
    if (!this.#isProgressive) {
      this.#first(bits, dc);
      this.#whole(bits, ac);
    } else if (first === 0) {
      if (isFiner) bits.skip(1);
      else this.#first(bits, dc);
    } else if (isFiner) this.#finer(bits, ac, plane.set, block * 2);
    else this.#rough(bits, ac, plane.set, block * 2);
  }

  #first(bits: PixelBits, dc: Codes | null): void {
    if (dc !== null) bits.skip(bits.code(dc));
  }

  #whole(bits: PixelBits, ac: Codes | null): void {
    if (ac === null) return;
    for (let at = 1; at <= LAST_NUMBER; at += 1) {
      const code = bits.code(ac);
      const [zeros, length] = [code >> 4, code & 15];
      if (length === 0 && zeros < 15) return;
      at += zeros;
      if (at > LAST_NUMBER && length > 0) throw TOO_MANY();
      bits.skip(length);
    }
  }

  #rough(bits: PixelBits, ac: Codes | null, set: Uint32Array, block: number): void {
    if (ac === null) return;
    const { first, last } = this.#settings;
    for (let at = first; at <= last; at += 1) {
      const code = bits.code(ac);
      const [zeros, length] = [code >> 4, code & 15];
      if (length === 0 && zeros < 15) {
        this.#endRun = (1 << zeros) - 1 + bits.number(zeros);
        return;
      }
      at += zeros;
      if (length === 0) continue;
      if (at > last) throw TOO_MANY();
      bits.skip(length);
      mark(set, block, at);
    }
  }

  #finer(bits: PixelBits, ac: Codes | null, set: Uint32Array, block: number): void {
    if (ac === null) return;
    if (this.#endRun > 0 && set[block] === 0 && set[block + 1] === 0) {
      this.#endRun -= 1;
      return;
    }
    const { first, last } = this.#settings;
    let at = first;
    for (; this.#endRun === 0 && at <= last; at += 1) {
      const code = bits.code(ac);
      const [zeros, length] = [code >> 4, code & 15];
      if (length > 1) throw new Damaged('its pixels have a number that is none');
      if (length === 0 && zeros < 15) {
        this.#endRun = (1 << zeros) + bits.number(zeros);
        break;
      }
      bits.skip(length);
      for (let left = zeros; at <= last; at += 1) {
        if (isMarked(set, block, at)) bits.skip(1);
        else if (left === 0) break;
        else left -= 1;
      }
      if (length === 0) continue;
      if (at > last) throw TOO_MANY();
      mark(set, block, at);
    }
    if (this.#endRun === 0) return;
    for (; at <= last; at += 1) if (isMarked(set, block, at)) bits.skip(1);
    this.#endRun -= 1;
  }
}

const TOO_MANY = (): Damaged => new Damaged('its pixels have a block with more than there can be');

const isMarked = (set: Uint32Array, block: number, at: number): boolean =>
  (((set[block + (at >> 5)] ?? 0) >>> (at & 31)) & 1) === 1;

function mark(set: Uint32Array, block: number, at: number): void {
  const word = block + (at >> 5);
  set[word] = (set[word] ?? 0) | (1 << (at & 31));
}
