import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'tocsin_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 30 characters out of 62 are 178 bits. */
const RANDOM_CHARACTERS = 30;
/** 62^6 is just above 2^32. */
const CHECKSUM_CHARACTERS = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`);

/**
 * Creates an API token: `tocsin_`, 30 random characters and the CRC-32 of all before it, so that secret scanners
 * recognise one without asking us (contract 36.26).
 */
export function newToken(random: (size: number) => Buffer = randomBytes): string {
  const body = PREFIX + randomText(RANDOM_CHARACTERS, random);
  return body + checksum(body);
}

/** Creates the secret part of a ping URL: 178 bits of letters and digits (contract 11.21). */
export function newPingToken(random: (size: number) => Buffer = randomBytes): string {
  return randomText(RANDOM_CHARACTERS, random);
}

/** Creates the secret part of a link, such as an invitation's: 178 bits of letters and digits. */
export function newLinkToken(random: (size: number) => Buffer = randomBytes): string {
  return randomText(RANDOM_CHARACTERS, random);
}

export function isTokenForm(text: string): boolean {
  return FORM.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM_CHARACTERS)));
}

/** SHA-256 in hex, as stored. The token's own randomness makes salt and stretching unnecessary. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

/** Random text; bytes that would favor some characters are discarded. */
function randomText(length: number, random: (size: number) => Buffer): string {
  const fair = 256 - (256 % ALPHABET.length);
  let text = '';
  while (text.length < length) {
    for (const byte of random(length - text.length)) {
      if (byte < fair) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_CHARACTERS; index += 1) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
