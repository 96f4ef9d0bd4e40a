export interface TextEntry {
  id: number;
  /** Entries are found in ascending order of this number, then of their ids. It never changes. */
  position: number;
  /** At least one. The first can be searched alone. Null removes the entry. */
  texts: readonly string[] | null;
}

/** Finds parts of texts among many, without a look at most of them. Case matters. */
export type TextIndex = ReturnType<typeof createTextIndex>;

/** Entries of a block. Each block that may contain a part is searched as a whole. */
const BLOCK_SIZE = 32;
const MAX_BLOCK_SIZE = 48;
/** Bits of a hash of neighboring bytes: with texts of 100 bytes, a quarter of the bits of a signature are set. */
const HASH_BITS = 12;
const SIGNATURE_BYTES = 2 ** HASH_BITS / 8;
/** Follows each text. UTF-8 never contains it. */
const END = 0xff;
/** Maximum time that a search blocks the event loop. */
const MAX_HELD_MS = 3;
/** Memory of a block and of an entry, beside the bytes. */
const BLOCK_OVERHEAD = 400;
const ENTRY_OVERHEAD = 32;

/** Neighboring entries. Never changes: it is replaced, so that a search in progress goes on with what it began. */
interface Block {
  ids: number[];
  positions: number[];
  /** Where in `bytes` each entry begins, and where the last one ends. */
  starts: number[];
  /** Where in `bytes` the first text of each entry ends. */
  firstEnds: number[];
  /** The signature, a bit for each hash of neighboring bytes, and then the texts. */
  bytes: Buffer;
}

type Present = TextEntry & { texts: readonly string[] };

export function createTextIndex() {
  const blocks: Block[] = [];
  let bytes = 0;

  /** The last block that begins before the entry, or the first one. */
  function blockOf(entry: TextEntry): number {
    let low = 0;
    let high = blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const { ids, positions } = blocks[middle]!;
      const first = { id: ids[0]!, position: positions[0]! };
      if (compare(first, entry) <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  function replace(at: number, changes: readonly TextEntry[]): void {
    const block = blocks[at];
    const entries = new Map((block ? unpack(block) : []).map((entry) => [entry.id, entry]));
    for (const { id, position, texts } of changes) {
      if (texts === null) entries.delete(id);
      else entries.set(id, { id, position, texts });
    }
    const built = inBlocks([...entries.values()].toSorted(compare));
    bytes += sum(built.map(sizeOf)) - (block ? sizeOf(block) : 0);
    blocks.splice(at, 1, ...built);
  }

  return {
    /** Approximate size in memory. */
    get bytes() {
      return bytes;
    },
    apply(changes: readonly TextEntry[]) {
      const byBlock = [...Map.groupBy(changes, blockOf)];
      // From the last one, as blocks that are added or removed move those after them.
      for (const [at, group] of byBlock.toSorted(([one], [other]) => other - one)) {
        replace(at, group);
      }
    },
    /**
     * The ids of entries with a text that contains `part`, as they are at the time of the call. Lets the event loop run
     * when it takes long.
     */
    async find(part: string, within: 'first' | 'any') {
      const wanted = Buffer.from(part);
      // The end of a part is often rarer than its beginning, such as `https://`.
      const hashes: number[] = [];
      eachHash(wanted, 0, (hash) => hashes.unshift(hash));
      const ids: number[] = [];
      let heldSince = performance.now();
      for (const block of blocks.filter((one) => mayContain(one, hashes))) {
        collect(block, wanted, within, ids);
        if (performance.now() - heldSince < MAX_HELD_MS) continue;
        await new Promise<void>((resolve) => void setImmediate(resolve));
        heldSince = performance.now();
      }
      return ids;
    },
  };
}

type Key = Pick<TextEntry, 'id' | 'position'>;
const compare = (one: Key, other: Key) => one.position - other.position || one.id - other.id;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const sizeOf = ({ bytes, ids }: Block) =>
  bytes.length + BLOCK_OVERHEAD + ids.length * ENTRY_OVERHEAD;

function inBlocks(entries: readonly Present[]): Block[] {
  if (entries.length === 0) return [];
  if (entries.length <= MAX_BLOCK_SIZE) return [pack(entries)];
  const blocks: Block[] = [];
  for (let from = 0; from < entries.length; from += BLOCK_SIZE) {
    blocks.push(pack(entries.slice(from, from + BLOCK_SIZE)));
  }
  return blocks;
}

function pack(entries: readonly Present[]): Block {
  const lengths = entries.map(({ texts }) => sum(texts.map((text) => Buffer.byteLength(text) + 1)));
  const bytes = Buffer.alloc(SIGNATURE_BYTES + sum(lengths));
  const starts: number[] = [];
  const firstEnds: number[] = [];
  let end = SIGNATURE_BYTES;
  for (const { texts } of entries) {
    starts.push(end);
    for (const [index, text] of texts.entries()) {
      end += bytes.write(text, end);
      if (index === 0) firstEnds.push(end);
      bytes[end] = END;
      end += 1;
    }
  }
  starts.push(end);
  eachHash(bytes, SIGNATURE_BYTES, (hash) => {
    bytes[hash >> 3]! |= 1 << (hash & 7);
  });
  const ids = entries.map(({ id }) => id);
  return { ids, positions: entries.map(({ position }) => position), starts, firstEnds, bytes };
}

function unpack({ ids, positions, starts, bytes }: Block): Present[] {
  return ids.map((id, index) => {
    const texts: string[] = [];
    for (let from = starts[index]!; from < starts[index + 1]!;) {
      const end = bytes.indexOf(END, from);
      texts.push(bytes.toString('utf8', from, end));
      from = end + 1;
    }
    return { id, position: positions[index]!, texts };
  });
}

/**
 * Calls `use` with the hashes of each three and each four neighboring bytes. Four are in fewer texts, and parts of three
 * bytes have only the other ones.
 */
function eachHash(bytes: Uint8Array, from: number, use: (hash: number) => void): void {
  for (let at = from; at + 2 < bytes.length; at += 1) {
    const three = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
    use(hashOf(three));
    if (at + 3 < bytes.length) use(hashOf(three | (bytes[at + 3]! << 24)));
  }
}

/** Multiplies by 2^32 divided by the golden ratio, whose upper bits depend on all bits. */
const hashOf = (bytes: number) => Math.imul(bytes, 0x9e3779b1) >>> (32 - HASH_BITS);

function mayContain({ bytes }: Block, hashes: readonly number[]): boolean {
  return hashes.every((hash) => (bytes[hash >> 3]! & (1 << (hash & 7))) !== 0);
}

function collect(
  { ids, starts, firstEnds, bytes }: Block,
  wanted: Buffer,
  within: 'first' | 'any',
  found: number[],
): void {
  for (let entry = 0; entry < ids.length; entry += 1) {
    const at = bytes.indexOf(wanted, starts[entry]);
    if (at === -1) return;
    while (at >= starts[entry + 1]!) entry += 1;
    // The first text comes first: what is found after it is not in it.
    const isWithin = within === 'any' || at + wanted.length <= firstEnds[entry]!;
    if (isWithin) found.push(ids[entry]!);
  }
}
