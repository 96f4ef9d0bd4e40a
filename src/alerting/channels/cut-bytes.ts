const CUT = '…';
const CUT_BYTES = 3;

/**
 * The text, or its beginning with `…` where it is longer; no character is cut in two.
 *
 * @param maximum in bytes of UTF-8; below three nothing is left.
 */
export function cutBytes(text: string, maximum: number): string {
  if (Buffer.byteLength(text) <= maximum) return text;
  if (maximum < CUT_BYTES) return '';
  const bytes = Buffer.from(text);
  let end = maximum - CUT_BYTES;
  // A byte 10xxxxxx goes on with the character before it (RFC 3629, section 3).
  while (end > 0 && (bytes[end]! & 0b1100_0000) === 0b1000_0000) end -= 1;
  return `${bytes.toString('utf8', 0, end)}${CUT}`;
}
