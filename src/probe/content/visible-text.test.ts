import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeVisible, visibleText } from './visible-text.ts';

const seen = (document: string) => visibleText(document, 'text/html');

describe('visible text', () => {
  test.each([
    ['<h1>Hello world</h1>', 'Hello world'],
    ['<b>Wel</b>come <i>back</i>!', 'Welcome back!'],
    ['<p>One</p><p>Two</p>', 'One Two'],
    ['one<br>two<br/>three', 'one two three'],
    ['<table><tr><td>Up</td><td>5</td></tr></table>', 'Up 5'],
    ['<ul><li>one<li>two</ul>', 'one two'],
    ['a\n\t  b&nbsp;&nbsp;c', 'a b c'],
    ['  <pre>a\n  b</pre> ', 'a b'],
    [
      'Fish &amp; Chips &lt;now&gt; &#8364;5 &#x41; &eacute; &hellip;',
      'Fish & Chips <now> €5 A é …',
    ],
    ['&copy 2030 &unknown; &', '© 2030 &unknown; &'],
    ['&#0;&#xD800;&#x110000;', '\ufffd\ufffd\ufffd'],
    ['<title>Shop &amp; more</title><body>x', 'Shop & more x'],
    ['<a href="/secret" title="tip">link</a>', 'link'],
    ['a<img alt="a cat" src="x.png">b', 'a b'],
    ['<input value="typed" placeholder="hint">Name', 'Name'],
    ['<button>Send</button><option>A</option>', 'Send A'],
    ['<textarea>typed <b></textarea>', 'typed <b>'],
    ['Auto&shy;bahn zero&#8203;width wor<wbr>d', 'Autobahn zerowidth word'],
    ['cafe&#769;', 'café'],
    ['1 < 2 and <3', '1 < 2 and <3'],
    ['<p title="a > b">in</p>', 'in'],
    ['<my-tag>cust</my-tag>om', 'custom'],
  ])('%j is %j [17.2]', (document, text) => expect(seen(document)).toBe(text));

  test.each([
    ['a<script>alert("<p>no</p>")</script>b', 'ab'],
    ['a<SCRIPT type=x>if (1 < 2) no()</Script >b', 'ab'],
    ['a<style>p { content: "no" }</style>b', 'ab'],
    ['a<!-- no <p>no</p> -->b', 'ab'],
    ['a<template><p>no</p><template>no</template>no</template>b', 'a b'],
    ['a<noscript>Switch on <b>scripts</b></noscript>b', 'ab'],
    ['a<iframe><p>no</p></iframe>b', 'ab'],
    ['a<script/>b', 'a'],
    ['a<noscript>no</p></div>no', 'a'],
    ['<!doctype html><?php no ?>a', 'a'],
    ['a<p no', 'a'],
    ['a<![CDATA[no]]>b', 'ab'],
  ])('of %j is %j', (document, text) => expect(seen(document)).toBe(text));

  test.each([
    ['text/plain', '<p>a</p>\n&amp;', '<p>a</p> &amp;'],
    ['application/json; charset=utf-8', '{"a":  "<b>"}', '{"a": "<b>"}'],
    ['application/problem+json', '{"a": "<b>"}', '{"a": "<b>"}'],
    [null, '<p>a</p>', 'a'],
    ['application/xhtml+xml', '<p>a</p>', 'a'],
    ['application/rss+xml', '<title><![CDATA[News & more]]></title>', 'News & more'],
    ['text/xml', '<up>1</up><down>2</down>', '1 2'],
    ['application/octet-stream', '<p>a</p>', 'a'],
  ])('of %s %j is %j [17.4]', (contentType, document, text) => {
    expect(visibleText(document, contentType)).toBe(text);
  });

  test("takes time linear in the document's length", () => {
    const size = 100_000;
    for (const [piece, text] of [
      ['<div>', ''],
      ['<b>', ''],
      ['</p>', ''],
      ['<template>', ''],
      ['<script>', ''],
      ['<', '<'.repeat(size)],
      ['&amp;', '&'.repeat(size)],
      ['<!--', ''],
      ['a\u00ad', 'a'.repeat(size)],
    ] as const) {
      expect(seen(piece.repeat(size))).toBe(text);
    }
    expect(seen(`<a x="${'y'.repeat(size)}">in`)).toBe('in');
    expect(seen(`&#${'1'.repeat(size)};in`)).toBe('\ufffdin');
    // Sorting these takes time quadratic in their number, so they stay.
    expect(seen(`e${'\u0315\u0300'.repeat(size)}`)).toHaveLength(1 + 2 * size);
  });

  test('is one well-formed line for any document', () => {
    const piece = fc.oneof(
      fc.constantFrom('<p>', '</p>', '<script>', '</script', '<!--', '-->', '<![CDATA[', ']]>'),
      fc.constantFrom('&', '&#', ';', '<', '/', '>', '"', ' ', '\n', '<br/>', '<template>'),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = seen(pieces.join(''));
        expect(text.isWellFormed()).toBe(true);
        expect(text).toBe(normalizeVisible(text));
        expect(text).not.toMatch(/\s\s|[^\S ]|^\s|\s$/);
      }),
      { numRuns: 500 },
    );
  });
});
