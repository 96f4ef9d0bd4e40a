import { expect, test } from 'vitest';
import { incidentFacts, pageFacts } from '../../../test/support/page-facts.ts';
import { updateMessage, type HookKind } from './hook-messages.ts';

const LINK = 'https://up.example.com/link';

test.each<HookKind>(['slack', 'microsoft_teams', 'sms'])(
  'planned maintenance says when it is: %s [44.21]',
  (kind) => {
    const update = { id: 1, state: 'scheduled' as const, text: null, at: 0, editedAt: null };
    const message = (plannedUntil: number | null) =>
      updateMessage(kind, {
        page: { ...pageFacts([]).page, timezone: 'Europe/Berlin' },
        announcement: {
          ...incidentFacts({ kind: 'maintenance', state: 'scheduled', updates: [update] }),
          startedAt: Date.UTC(2030, 0, 6, 2),
          plannedUntil,
        },
        update,
        pageUrl: LINK,
        url: LINK,
        subscription: { manage: LINK, unsubscribe: LINK },
      });
    expect(message(Date.UTC(2030, 0, 6, 3, 30))).toMatch(/6 Jan 2030, 03:00.04:30/);
    expect(message(null)).not.toContain('6 Jan');
  },
);
