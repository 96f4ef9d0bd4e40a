/** The parts of DER (X.690) that certificates and OCSP responses consist of. */

export function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

export function objectId(hexadecimal: string): Buffer {
  return tagged(0x06, Buffer.from(hexadecimal, 'hex'));
}

/** A positive integer; a leading zero byte keeps its sign bit clear. */
export function integer(hexadecimal: string): Buffer {
  const bytes = Buffer.from(
    hexadecimal.padStart(hexadecimal.length + (hexadecimal.length % 2), '0'),
    'hex',
  );
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return tagged(0x02, isNegative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

export function bitString(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([0]), bytes]));
}

/** A value with its tag and length (X.690, section 8.1). */
export function tagged(tag: number, content: Buffer): Buffer {
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const digits = content.length.toString(16);
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}

/** RFC 5280, section 4.1.2.5: two digits of the year until 2049, four from then on. */
export function time(milliseconds: number): Buffer {
  const digits = digitsOf(milliseconds);
  const year = Number(digits.slice(0, 4));
  const isShort = year >= 1950 && year < 2050;
  return tagged(isShort ? 0x17 : 0x18, Buffer.from(isShort ? digits.slice(2) : digits));
}

/** With seconds and a four-digit year. */
export function generalizedTime(milliseconds: number): Buffer {
  return tagged(0x18, Buffer.from(digitsOf(milliseconds)));
}

function digitsOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+|[-:T]/g, '');
}
