import { ENCODINGS, type Encoding } from '../../status-page/kept-document.ts';

/** Browsers send few different headers. */
const known = new Map<string, readonly Encoding[]>();
const MAX_KNOWN = 200;

/**
 * Encodings that a client names in Accept-Encoding (RFC 9110, section 12.5.3), in our order of preference. A client that
 * sends `*` alone gets the plain bytes.
 */
export function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  if (header === undefined) return [];
  const found = known.get(header) ?? parse(header);
  if (known.size < MAX_KNOWN) known.set(header, found);
  return found;
}

function parse(header: string): readonly Encoding[] {
  const accepted = new Set<string>();
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    if (Number(weight) > 0) accepted.add(name === 'x-gzip' ? 'gzip' : name);
  }
  return ENCODINGS.filter((encoding) => accepted.has(encoding));
}
