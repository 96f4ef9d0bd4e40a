import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import type { ChannelField } from './contract.ts';
import { CHANNEL_TYPES, channelType } from './index.ts';

const documented = readFileSync(new URL('../../../docs/channels.md', import.meta.url), 'utf8');

test('the types are those of the API, in their order [34.19]', () => {
  expect(CHANNEL_TYPES.map(({ type }) => type)).toEqual([
    'email',
    'slack',
    'discord',
    'microsoft_teams',
    'telegram',
    'pagerduty',
    'opsgenie',
    'ntfy',
    'pushover',
    'gotify',
    'mattermost',
    'google_chat',
    'sms',
    'web_push',
  ]);
  expect(channelType('google_chat')?.title).toBe('Google Chat');
  expect(channelType('pigeon')).toBeUndefined();
});

test('each is described under its title, in the same order', () => {
  const headings = Array.from(documented.matchAll(/^## (.+)$/gm), ([, heading]) => heading);
  const titles = CHANNEL_TYPES.map(({ title }) => title);
  expect(headings.filter((heading) => titles.includes(heading!))).toEqual(titles);
});

describe.each(CHANNEL_TYPES)('$type', ({ type, title, scopes, fields }) => {
  const section = documented.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';

  it('is for somebody', () => {
    expect(scopes.length).toBeGreaterThan(0);
    expect(new Set(scopes).size).toBe(scopes.length);
  });

  it('stands in the table with its settings', () => {
    const row =
      new RegExp(`^\\| \`${type}\` +\\| \\[${title}\\].*$`, 'm').exec(documented)?.[0] ?? '';
    const settings = Array.from(
      row
        .split('|')
        .at(-2)
        ?.matchAll(/`(\w+)`/g) ?? [],
      ([, name]) => name,
    );
    expect(settings).toEqual(Object.keys(fields));
  });

  it.each(Object.entries(fields))('has a field %s that forms can show', (name, field) => {
    expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(field.description).toMatch(/^[A-Z].*[.)]$/s);
    expect(isValid(field, field.example)).toBe(true);
    expect(section).toContain(`\`${name}\``);
  });
});

function isValid(field: ChannelField, value: string | number | string[]): boolean {
  switch (field.kind) {
    case 'text':
      return (
        typeof value === 'string' &&
        value.length <= field.maximum &&
        (field.pattern === undefined ||
          (field.pattern.test(value) && field.must?.startsWith('must be ') === true))
      );
    case 'url':
      return typeof value === 'string' && URL.canParse(value);
    case 'choice':
      return typeof value === 'string' && field.choices.includes(value);
    case 'number':
      return typeof value === 'number' && value >= field.minimum && value <= field.maximum;
    case 'emails':
      return Array.isArray(value) && value.length <= field.maximum;
  }
}
