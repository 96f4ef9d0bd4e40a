import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePublicPath, type DocumentRequest } from './paths.ts';
import { DOCUMENTS } from './urls.ts';

test.each<[path: string, document: DocumentRequest]>([
  [DOCUMENTS.page('acme'), { name: 'page' }],
  [DOCUMENTS.announcement('acme', 7), { name: 'announcement', id: 7 }],
  [DOCUMENTS.month('acme', '2030-01'), { name: 'month', month: '2030-01' }],
  [DOCUMENTS.summary('acme'), { name: 'summary' }],
  [DOCUMENTS.atom('acme'), { name: 'atom' }],
  [DOCUMENTS.rss('acme'), { name: 'rss' }],
  [DOCUMENTS.jsonFeed('acme'), { name: 'jsonFeed' }],
  [DOCUMENTS.badge('acme'), { name: 'badge', kind: 'status', monitorId: null }],
  [DOCUMENTS.embed('acme'), { name: 'embed', variant: 'card' }],
  [DOCUMENTS.image('acme', 'logo'), { name: 'image', image: 'logo' }],
  [DOCUMENTS.image('acme', 'logo_dark'), { name: 'image', image: 'logo_dark' }],
  [DOCUMENTS.image('acme', 'favicon'), { name: 'image', image: 'favicon' }],
  [DOCUMENTS.image('acme', 'social_image'), { name: 'image', image: 'social_image' }],
  [DOCUMENTS.style('acme'), { name: 'style' }],
  [DOCUMENTS.uncorrected('acme'), { name: 'uncorrected' }],
])('%s is a document [42.10]', (path, document) => {
  expect(parsePublicPath(path, '')).toEqual({ type: 'document', slug: 'acme', document });
});

test.each(['card', 'strip', 'dot'] as const)('a frame may be a %s [42.10]', (variant) => {
  expect(parsePublicPath(DOCUMENTS.embed('acme'), `variant=${variant}`)).toMatchObject({
    document: { name: 'embed', variant },
  });
});

test('forms and files have types of their own', () => {
  expect(parsePublicPath(DOCUMENTS.signIn('acme'), '')).toEqual({ type: 'signIn', slug: 'acme' });
  expect(parsePublicPath(DOCUMENTS.subscribe('acme'), '')).toEqual({
    type: 'subscribe',
    slug: 'acme',
  });
  for (const link of [
    DOCUMENTS.confirm,
    DOCUMENTS.unsubscribe,
    (slug: string) => `${slug}/subscription`,
  ])
    expect(parsePublicPath(link('acme'), 'token=x')).toEqual({ type: 'link', slug: 'acme' });
  expect(parsePublicPath('_/hash/style.css', '')).toEqual({
    type: 'asset',
    path: '_/hash/style.css',
  });
});

test.each([
  ['kind=uptime', { kind: 'uptime', monitorId: null }],
  ['kind=uptime&monitor_id=12', { kind: 'uptime', monitorId: 12 }],
  ['monitor_id=012&kind=x', { kind: 'status', monitorId: null }],
  ['monitor_id=-1', { kind: 'status', monitorId: null }],
  ['label=API+status', { kind: 'status', label: 'API status' }],
])('a badge with %s', (query, badge) => {
  expect(parsePublicPath('acme/badge.svg', query)).toMatchObject({ document: badge });
});

test.each([
  '',
  '-',
  '-a',
  'a-',
  'A',
  'a_b',
  'a.xml',
  '.json',
  'a/../b',
  '../a',
  'a%2f',
  '_x/y',
  'é',
])('%j belongs to no page', (path) => {
  const asked = parsePublicPath(path, '');
  expect(asked === null || asked.type === 'other').toBe(true);
});

test.each(['a/incidents/0', 'a/incidents/01', 'a/incidents', 'a/history/2030', 'a/logo/x', 'a/'])(
  '%s is no document',
  (path) => expect(parsePublicPath(path, '')).toEqual({ type: 'other', slug: 'a' }),
);

test('never throws', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (path, query) => {
      parsePublicPath(path, query);
    }),
  );
});
