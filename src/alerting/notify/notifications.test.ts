import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAlertStory, type AlertStory } from '../../../test/support/alert-story.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { notifyReopened, scheduleAlertsOfIncidents } from '../../store/alerting/alerts.ts';
import type { MessageContent } from '../message/content.ts';
import { insertRows } from '../../../test/support/rows.ts';

const MINUTE = 60;
const MONITORS = 4;
/** Longer than any maintenance here, than it takes a flapping monitor to count as steady, and than the night. */
const SETTLED = 80 * MINUTE;

type Deed =
  | { do: 'turn'; monitor: number; into: 'up' | 'regional' | 'uptime' }
  | { do: 'slow'; monitor: number; isSlow: boolean }
  | { do: 'storm'; many: number }
  | { do: 'maintain'; monitor: number | null; seconds: number }
  | { do: 'acknowledge' | 'resolve' | 'reopen'; monitor: number }
  | { do: 'pass'; seconds: number };

const monitor = fc.nat(MONITORS - 1);
const seconds = fc.constantFrom(1, 9, 31, 70, 130, 400, 2_000);
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('turn' as const),
      monitor,
      into: fc.constantFrom('up' as const, 'regional' as const, 'uptime' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('slow' as const), monitor, isSlow: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('storm' as const),
      many: fc.integer({ min: 2, max: MONITORS }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('maintain' as const),
      monitor: fc.option(monitor),
      seconds: fc.constantFrom(20, 300, 900),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('acknowledge' as const, 'resolve' as const, 'reopen' as const),
      monitor,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), seconds }) },
);

/** A short one, soon after the story begins. */
const NIGHT = { from: '12:10', to: '12:40', timezone: 'UTC', allow_critical: false };
const CHANNELS: { severities: string[]; quietHours: object | null }[] = [
  { severities: ['critical', 'warning'], quietHours: null },
  { severities: ['critical', 'warning'], quietHours: NIGHT },
  { severities: ['critical'], quietHours: null },
  { severities: ['warning'], quietHours: { ...NIGHT, allow_critical: true } },
];

async function settle() {
  const story = await createAlertStory(await openInMemory());
  const monitors: number[] = [];
  for (let index = 0; index < MONITORS; index += 1) monitors.push(await story.monitor());
  const channels = [];
  for (const { severities, quietHours } of CHANNELS) {
    const id = await story.channel({
      severities: JSON.stringify(severities),
      quiet_hours: quietHours === null ? null : JSON.stringify(quietHours),
    });
    const destination = await story.destinationOf('alert_channel', id);
    channels.push({ id, severities, destination });
  }
  const all = JSON.stringify(channels.map(({ id }) => id));
  await story.route({ channels: all, reminder_minutes: 25 });
  const hook = await story.destinationOf('webhook_endpoint', await story.endpoint());
  return { story, monitors, channels, hook };
}

/** What each monitor is in; does what makes sense, and nothing else. */
function createActor(story: AlertStory, monitors: number[]) {
  const reach = new Map<number, 'regional' | 'uptime'>();
  const slow = new Set<number>();
  /** Incidents of whose end there is no event. */
  const resolved = new Set<number>();
  /** Those that somebody opened again: of their beginning there may be none. */
  const reopened = new Set<number>();
  // Of one address, so that they may be a storm.
  const shared = { address: '203.0.113.7' };

  async function turn(id: number, into: 'up' | 'regional' | 'uptime'): Promise<void> {
    const from = reach.get(id);
    if (from === undefined) {
      if (into === 'up') return;
      reach.set(id, into);
      return story.fail(id, { ...shared, condition: into });
    }
    if (into === 'up') {
      reach.delete(id);
      return story.recover(id, from);
    }
    if (from === into) return;
    reach.set(id, into);
    return story.changeOver(id, from, into);
  }

  async function slowDown(id: number, isSlow: boolean): Promise<void> {
    if (isSlow === slow.has(id)) return;
    if (isSlow) {
      slow.add(id);
      return story.fail(id, { ...shared, condition: 'slow_response' });
    }
    slow.delete(id);
    return story.recover(id, 'slow_response');
  }

  async function storm(many: number): Promise<void> {
    const well = monitors.slice(0, many).filter((id) => !reach.has(id));
    if (well.length === 0) return;
    for (const id of well) reach.set(id, 'uptime');
    await story.fail(well, shared);
  }

  async function maintain(id: number | null, forSeconds: number): Promise<void> {
    const time = {
      window_id: 1,
      team_id: story.people.alice.teamId,
      monitors: id === null ? '[]' : `[${id}]`,
      groups: '[]',
      tags: '[]',
      from_at: story.now(),
      to_at: story.now() + forSeconds * 1_000,
    };
    await insertRows(story.database, 'maintenance_occurrence', time);
  }

  /** What people do to all open incidents of a monitor. @returns those. */
  async function byHand(monitorId: number, change: object): Promise<number[]> {
    return story.database.transaction(async (tx) => {
      const rows = await tx
        .updateTable('incident')
        .set(change)
        .where('monitor_id', '=', monitorId)
        .where('ended_at', 'is', null)
        .returning('id')
        .execute();
      const ids = rows.map(({ id }) => id);
      await scheduleAlertsOfIncidents(tx, ids, story.now());
      return ids;
    });
  }

  async function resolve(id: number): Promise<void> {
    const ended = { ended_at: story.now(), updated_at: story.now() };
    for (const one of await byHand(id, ended)) resolved.add(one);
    reach.delete(id);
    slow.delete(id);
  }

  /** The newest incident that makes a monitor down, where a person resolved that and it is up. */
  async function reopen(monitorId: number): Promise<void> {
    if (reach.has(monitorId)) return;
    await story.database.transaction(async (tx) => {
      const row = await tx
        .selectFrom('incident')
        .selectAll()
        .where('monitor_id', '=', monitorId)
        .where('type', 'in', ['uptime', 'regional'])
        .orderBy('id', 'desc')
        .executeTakeFirst();
      if (row === undefined || !resolved.has(row.id)) return;
      const anew = { ended_at: null, acknowledged_at: null, updated_at: story.now() };
      await tx.updateTable('incident').set(anew).where('id', '=', row.id).execute();
      await notifyReopened(tx, row, story.now());
      resolved.delete(row.id);
      reopened.add(row.id);
      reach.set(monitorId, row.type as 'uptime' | 'regional');
    });
  }

  return {
    resolved,
    reopened,
    async act(one: Deed): Promise<void> {
      if (one.do === 'resolve') await resolve(monitors[one.monitor]!);
      if (one.do === 'reopen') await reopen(monitors[one.monitor]!);
      if (one.do === 'acknowledge')
        await byHand(monitors[one.monitor]!, { acknowledged_at: story.now() });
      if (one.do === 'turn') await turn(monitors[one.monitor]!, one.into);
      if (one.do === 'slow') await slowDown(monitors[one.monitor]!, one.isSlow);
      if (one.do === 'storm') await storm(one.many);
      if (one.do === 'maintain')
        await maintain(one.monitor === null ? null : monitors[one.monitor]!, one.seconds);
      await story.pass(one.do === 'pass' ? one.seconds : 1);
    },
    async mendAll(): Promise<void> {
      for (const id of monitors) {
        await turn(id, 'up');
        await slowDown(id, false);
      }
    },
  };
}

/** Of each alert, what was said of it, in order. */
const byAlert = (notices: readonly MessageContent[]) =>
  [...Map.groupBy(notices, ({ alert }) => alert!.id).values()].map((said) => ({
    kinds: said.map(({ kind }) => kind),
    incidents: new Set(said.flatMap(({ troubles }) => troubles.map((one) => one.incidentId))),
    monitors: new Set(said.flatMap(({ troubles }) => troubles.map((one) => one.monitorId))),
  }));

const isOn = ({ kinds }: { kinds: string[] }) => kinds.at(-1) !== 'recovery';

function expectSense(kinds: readonly string[]): void {
  for (const [index, kind] of kinds.entries()) {
    const before = kinds[index - 1];
    if (before === undefined || before === 'recovery') expect(kind).toBe('alarm');
  }
}

test('whatever happens, people are notified of each problem once, and of its end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(deed, { minLength: 5, maxLength: 40, size: 'max' }),
      async (deeds) => {
        const { story, monitors, channels, hook } = await settle();
        const { act, mendAll, resolved, reopened } = createActor(story, monitors);
        for (const one of deeds) await act(one);
        await story.pass(SETTLED);

        const incidents = await story.database.read.selectFrom('incident').selectAll().execute();
        const heard = new Map<number, MessageContent[]>();
        for (const { destination, severities } of channels) {
          const notices = await story.messages(destination);
          heard.set(destination, notices);
          const alerts = byAlert(notices);
          for (const { kinds } of alerts) expectSense(kinds);
          for (const { id, ended_at, severity } of incidents) {
            if (ended_at !== null || !severities.includes(severity)) continue;
            const telling = alerts.filter((alert) => isOn(alert) && alert.incidents.has(id));
            expect(telling).toHaveLength(1);
          }
          // The channel is not notified of what it became: it has not recovered.
          const down = incidents.filter((one) => one.ended_at === null);
          const open = new Set(down.map((one) => one.monitor_id));
          for (const alert of alerts)
            if (isOn(alert)) expect([...alert.monitors].some((id) => open.has(id))).toBe(true);
        }

        await mendAll();
        await story.pass(SETTLED);
        for (const { destination } of channels) {
          const alerts = byAlert([
            ...heard.get(destination)!,
            ...(await story.messages(destination)),
          ]);
          for (const alert of alerts) {
            expectSense(alert.kinds);
            expect(isOn(alert)).toBe(false);
          }
        }
        const left = await story.database.read
          .selectFrom('alert')
          .select('id')
          .where('over_at', 'is', null)
          .execute();
        expect(left).toEqual([]);

        const sent = await story.database.read
          .selectFrom('delivery')
          .select(['incident_id', 'event_type'])
          .where('destination_id', '=', hook)
          .orderBy('id')
          .execute();
        for (const [id, events] of Map.groupBy(sent, (one) => one.incident_id)) {
          if (reopened.has(id!)) continue;
          const ends = events.map((one) => /(_resolved|\.up)$/.test(one.event_type!));
          expect(ends).toEqual(resolved.has(id!) ? [false] : [false, true]);
        }
        await story.database.close();
      },
    ),
    { numRuns: 15 },
  );
}, 300_000);
