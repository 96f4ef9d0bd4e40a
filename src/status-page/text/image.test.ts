import { describe, expect, it } from 'vitest';
import { imageTypeOf } from './image.ts';

describe('the type of an image', () => {
  it.each<[title: string, bytes: Uint8Array, type: string | null]>([
    ['PNG', Buffer.from('89504e470d0a1a0a0000', 'hex'), 'image/png'],
    ['JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'image/jpeg'],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
    [
      'SVG with a prolog',
      Buffer.from(
        '\uFEFF<?xml version="1.0"?>\n<!-- <svg> -->\n<!DOCTYPE svg PUBLIC "a" "b">\n<svg>',
      ),
      'image/svg+xml',
    ],
    [
      'SVG with entities',
      Buffer.from('<!DOCTYPE svg [ <!ENTITY a "b"> ]>\n<svg>'),
      'image/svg+xml',
    ],
    ['SVG as UTF-16', Buffer.from('\uFEFF<svg/>', 'utf16le'), null],
    ['SVG with bytes that are no UTF-8', Buffer.from([...Buffer.from('<svg>'), 0xff]), null],
    ['SVG in HTML', Buffer.from('<!DOCTYPE html><svg/>'), 'image/svg+xml'],
    ['HTML', Buffer.from('<!DOCTYPE html><html><svg/>'), null],
    ['an element whose name begins alike', Buffer.from('<svgx/>'), null],
    ['an unclosed comment', Buffer.from('<!-- <svg>'), null],
    ['GIF', Buffer.from('GIF89a'), null],
    ['WebP', Buffer.from('RIFF0000WEBP'), null],
    ['half a signature', Buffer.from('89504e47', 'hex'), null],
    ['nothing', new Uint8Array(), null],
  ])('is known of %s [42.50]', (_title, bytes, type) => {
    expect(imageTypeOf(bytes)).toBe(type);
  });
});
