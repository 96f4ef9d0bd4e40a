import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Encodings that are kept, the preferred one first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export interface Rendered {
  type: string;
  body: Buffer;
}

const ETAG_LENGTH = 16;
/** A smaller document does not become shorter than a packet. */
const MIN_BYTES = 860;
const COMPRESSIBLE =
  /^(?:text\/|application\/(?:json|feed\+json|atom\+xml|rss\+xml|javascript)|image\/svg\+xml)/;

/**
 * Quality of brotli. Of a page with 20 services, 5 makes 3 % more bytes than 9 in a third of its time
 * (docs/adr/0031-pages-are-rendered-once-per-change.md).
 */
const BROTLI_QUALITY = 5;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

const COMPRESS: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) =>
    brotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    }),
  gzip: (body) => gzipped(body),
};

/** A rendered document with its encodings, each of which is made once, when it is first asked for. */
export type KeptDocument = ReturnType<typeof keepDocument>;

export function keepDocument({ type, body }: Rendered) {
  const hash = createHash('sha256').update(type).update('\n').update(body).digest('base64url');
  const isEncoded = body.length >= MIN_BYTES && COMPRESSIBLE.test(type);
  const kept = new Map<Encoding, Buffer | Promise<Buffer>>();

  async function encode(encoding: Encoding): Promise<Buffer> {
    const encoded = await COMPRESS[encoding](body);
    kept.set(encoding, encoded);
    return encoded;
  }

  return {
    type,
    body,
    /** Weak, since the bytes of the encodings differ (RFC 9110, section 8.8.1). */
    etag: `W/"${hash.slice(0, ETAG_LENGTH)}"`,
    /** Encoded bytes if they are there already; undefined for a document that is not worth encoding. */
    encoded(encoding: Encoding) {
      if (!isEncoded) return undefined;
      const known = kept.get(encoding);
      if (known !== undefined) return known;
      const pending = encode(encoding);
      kept.set(encoding, pending);
      return pending;
    },
    bytes: () =>
      [...kept.values()].reduce(
        (sum, encoded) => sum + (Buffer.isBuffer(encoded) ? encoded.length : 0),
        body.length,
      ),
    get used(): ReadonlySet<Encoding> {
      return new Set(kept.keys());
    },
  };
}

/** Browsers send few different headers. */
const acceptedByHeader = new Map<string, readonly Encoding[]>();
const MAX_HEADERS = 200;

/**
 * Encodings that a client names in Accept-Encoding (RFC 9110, section 12.5.3), in our order of preference. A client that
 * sends `*` alone gets the plain bytes.
 */
export function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  if (header === undefined) return [];
  const found = acceptedByHeader.get(header) ?? parseAccepted(header);
  if (acceptedByHeader.size < MAX_HEADERS) acceptedByHeader.set(header, found);
  return found;
}

function parseAccepted(header: string): readonly Encoding[] {
  const accepted = new Set<string>();
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    if (Number(weight) > 0) accepted.add(name === 'x-gzip' ? 'gzip' : name);
  }
  return ENCODINGS.filter((encoding) => accepted.has(encoding));
}
