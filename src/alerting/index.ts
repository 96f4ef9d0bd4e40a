/**
 * The path from an event of an incident to a message at Slack, in three transactions. Each can be repeated after a crash.
 *
 * 1. `fanOut`: events that are due become deliveries for webhook endpoints, and their incidents parts of alerts.
 * 2. `stepAlerts`: the policies say which channels are notified of alerts that are due, and messages are enqueued.
 * 3. Delivery: `delivery/worker.ts` claims channels that are due. `delivery/channel-sender.ts` renders the next message of
 *    each (`message/render.ts`), has the type of the channel send it (`channels/slack.ts`) and records the outcome.
 *
 * `notifier.ts` polls and runs the first two.
 */
import { alertStore } from '../store/alerting/alerts.ts';
import { destinationStore } from '../store/alerting/destinations.ts';
import type { Database } from '../store/database/contract.ts';
import { alertedMonitors, eventQueue } from '../store/engine/events.ts';
import { classify, notifyWithoutAlert, openAlerts, webhookDeliveries } from './notify/fan-out.ts';
import { groupDueAlerts } from './notify/group-alerts.ts';
import { readAlertStates, readEvaluation } from './notify/read-alerts.ts';
import { messagesOf, writeSteps } from './notify/step-alerts.ts';
import type { Policy } from './policy/contract.ts';
import { POLICIES } from './policy/index.ts';
import { stepAlert } from './policy/step-alert.ts';

interface TransactionOptions {
  now: number;
  mail: boolean;
  limit?: number;
  policies?: readonly Policy[];
}

/** Hands due events on. An incident that was over before its opening could be sent is sent to nobody. */
export function fanOut(
  database: Database,
  { now, mail, limit = 500, policies = POLICIES }: TransactionOptions,
) {
  return database.transaction(async (tx) => {
    await eventQueue(tx).lock();
    const events = await eventQueue(tx).due(now, limit);
    if (events.length === 0) return { events: 0, deliveries: 0, alerts: 0, held: 0 };
    const monitorIds = events.map((event) => event.monitor_id);
    const question = { monitors: await alertedMonitors(tx, monitorIds), policies, now };
    const { sent, held, dropped } = await classify(tx, events, question);
    await eventQueue(tx).hold(held);
    await eventQueue(tx).finish(sent.map(({ id }) => id));
    await eventQueue(tx).drop(dropped);
    const deliveries = await webhookDeliveries(tx, sent, question);
    await destinationStore(tx).enqueue(deliveries, now);
    const alerts = await openAlerts(tx, sent, now);
    await notifyWithoutAlert(tx, sent, { ...question, mail });
    const counts = { deliveries: deliveries.length, alerts, held: held.length };
    return { events: events.length, ...counts };
  });
}

/** Evaluates alerts that are due, and enqueues their messages: each is sent once, whatever crashes. @returns their number. */
export function stepAlerts(
  database: Database,
  { now, mail, limit = 100, policies = POLICIES }: TransactionOptions,
): Promise<number> {
  return database.transaction(async (tx) => {
    await eventQueue(tx).lock();
    const due = await alertStore(tx).due(now, limit);
    for (const [teamId, alerts] of Map.groupBy(due, (alert) => alert.team_id)) {
      const evaluation = await readEvaluation(tx, teamId, { mail, policies, now });
      const read = await readAlertStates(tx, alerts, evaluation);
      const { states, monitors, reach } = await groupDueAlerts(tx, read, evaluation);
      const steps = states.map((state) => ({
        ...state,
        step: stepAlert(state, reach, policies, now),
      }));
      await writeSteps(tx, steps, { ...evaluation, reach });
      await destinationStore(tx).enqueue(await messagesOf(tx, steps, monitors, evaluation), now);
    }
    return due.length;
  });
}
