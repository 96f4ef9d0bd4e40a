import { expect, test } from 'vitest';
import { blocksOf, type Block } from './markdown.ts';

const text = (value: string) => ({ kind: 'text' as const, text: value });

test.each<[string, string, Block[]]>([
  [
    'paragraphs',
    'One\ntwo\n\nthree',
    [
      { kind: 'paragraph', lines: [[text('One')], [text('two')]] },
      { kind: 'paragraph', lines: [[text('three')]] },
    ],
  ],
  [
    'marks',
    'A **b** *c* `d`',
    [
      {
        kind: 'paragraph',
        lines: [
          [
            text('A '),
            { kind: 'bold', text: 'b' },
            text(' '),
            { kind: 'italic', text: 'c' },
            text(' '),
            { kind: 'code', text: 'd' },
          ],
        ],
      },
    ],
  ],
  [
    'links',
    '[us](https://a.example) https://b.example.',
    [
      {
        kind: 'paragraph',
        lines: [
          [
            { kind: 'link', text: 'us', href: 'https://a.example' },
            text(' '),
            { kind: 'link', text: 'https://b.example', href: 'https://b.example' },
            text('.'),
          ],
        ],
      },
    ],
  ],
  [
    'no links to scripts',
    '[x](javascript:alert(1))',
    [{ kind: 'paragraph', lines: [[text('[x](javascript:alert(1))')]] }],
  ],
  [
    'lists',
    '- a\n- b\n1. c',
    [
      { kind: 'list', isOrdered: false, items: [[text('a')], [text('b')]] },
      { kind: 'list', isOrdered: true, items: [[text('c')]] },
    ],
  ],
  [
    'headings, quotes and rules',
    '## T\n> q\n---',
    [
      { kind: 'heading', lines: [[text('T')]] },
      { kind: 'quote', lines: [[text('q')]] },
      { kind: 'rule' },
    ],
  ],
  ['code', '```\n**a**\n```', [{ kind: 'code', text: '**a**' }]],
])('reads %s', (_what, source, blocks) => {
  expect(blocksOf(source)).toEqual(blocks);
});
