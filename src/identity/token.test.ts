import { describe, expect, test } from 'vitest';
import { hashToken, isTokenForm, newToken } from './token.ts';

describe('API tokens', () => {
  test('have a recognizable form, enough randomness and a checksum [36.26]', () => {
    const tokens = Array.from({ length: 200 }, () => newToken());
    for (const token of tokens) {
      expect(token).toMatch(/^tocsin_[0-9A-Za-z]{36}$/);
      expect(isTokenForm(token)).toBe(true);
    }
    expect(new Set(tokens).size).toBe(200);
    expect(30 * Math.log2(62)).toBeGreaterThan(160);
  });

  test('a changed character is detected', () => {
    const token = newToken();
    for (let index = 'tocsin_'.length; index < token.length; index += 1) {
      const other = token[index] === 'A' ? 'B' : 'A';
      expect(isTokenForm(token.slice(0, index) + other + token.slice(index + 1))).toBe(false);
    }
  });

  test('bytes that would favor some characters are not used', () => {
    const bytes = [255, 248, 0, 61, 247];
    let next = 0;
    const token = newToken((size) =>
      Buffer.from(Array.from({ length: size }, () => bytes[next++ % bytes.length]!)),
    );
    expect(token.slice(7, 37)).toMatch(/^(0zz)+$/);
  });

  test('are stored as SHA-256 [35.8]', () => {
    expect(hashToken('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});
