import { describe, expect, it } from 'vitest';
import {
  ADDRESSES,
  bodyOf,
  draftOf,
  NEW_CHANNEL,
  newQuietHours,
  type SettingField,
} from './draft.ts';

const number: SettingField = { ...ADDRESSES, name: 'thread_id', kind: 'number' };
const text: SettingField = { ...ADDRESSES, name: 'topic', kind: 'text' };

describe('body of a channel', () => {
  it.each([
    [number, '42', 42],
    [number, 'forty', 'forty'],
    [number, ' ', null],
    [text, ' alerts ', 'alerts'],
    [text, '', null],
    [
      ADDRESSES,
      'a@example.com, b@example.com\nc@example.com',
      ['a@example.com', 'b@example.com', 'c@example.com'],
    ],
    [ADDRESSES, '', null],
  ])('%o of "%s"', (field, typed, sent) => {
    const draft = { ...NEW_CHANNEL, settings: { [field.name]: typed } };
    expect(bodyOf(draft, [field], true).settings).toEqual({ [field.name]: sent });
  });

  it('says whether it is a default for teams alone', () => {
    expect(bodyOf(NEW_CHANNEL, [], true)).toHaveProperty('is_default', true);
    expect(bodyOf(NEW_CHANNEL, [], false)).not.toHaveProperty('is_default');
  });

  it('sends no settings where there are none', () => {
    expect(bodyOf(NEW_CHANNEL, [], false)).not.toHaveProperty('settings');
  });

  it('has quiet hours on every day when none is ticked', () => {
    const draft = { ...NEW_CHANNEL, quiet_hours: newQuietHours('Europe/Berlin') };
    expect(bodyOf(draft, [], true).quiet_hours).toEqual({
      from: '22:00',
      to: '07:00',
      days: null,
      timezone: 'Europe/Berlin',
      allow_critical: true,
    });
  });
});

it('edits addresses as lines, and what is unset as nothing', () => {
  const draft = draftOf({
    id: 1,
    type: 'email',
    name: 'Mail',
    enabled: true,
    is_default: false,
    severities: ['critical'],
    quiet_hours: null,
    timezone: null,
    settings: { addresses: ['a@example.com', 'b@example.com'], token: null, count: 3 },
    warnings: [],
    last_delivered_at: null,
    failing_since: null,
    last_error: null,
    created_at: '2030-01-01T00:00:00.000Z',
    updated_at: '2030-01-01T00:00:00.000Z',
  });
  expect(draft.settings).toEqual({
    addresses: 'a@example.com\nb@example.com',
    token: '',
    count: '3',
  });
  expect(draft).toMatchObject({ is_default: false, timezone: '', quiet_hours: null });
});
