import { noun } from '../common/operation.ts';
import { createAlertLinkService } from './service.ts';
import { z } from 'zod';
import { SEVERITIES } from '../../model/condition.ts';
import { acknowledgedOfLink } from '../incidents/facts.ts';
import { acknowledgeInput, alertLinkQuery, MAX_SHOWN } from './service.ts';

const incident = z
  .object({
    id: z.int(),
    monitor: z.string().meta({ description: 'Its friendly name, else its url.' }),
    url: z.string().nullable().meta({ description: 'Null for push monitors: theirs is a secret.' }),
    type: z.string(),
    severity: z.enum(SEVERITIES),
    status: z.enum(['open', 'resolved']),
    root_cause: z.string().nullable(),
    regions: z.array(z.string()).meta({ description: 'Those that failed.' }),
    vantage: z.string().nullable().meta({
      description:
        'Name of the machine that checked for all regions; null when there were several.',
    }),
    evidence: z.string().nullable().meta({ description: 'What was seen, in a line.' }),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
    unobserved_seconds: z.int().nullable().meta({
      description: 'How much of its duration until now nothing was observed: that is no downtime.',
    }),
    ...acknowledgedOfLink.shape,
  })
  .meta({ id: 'AlertIncident', description: 'An incident, as the page of an alert shows it.' });

const incidents = z.array(incident).meta({
  description: `Those that are open first, then the newest first; at most ${MAX_SHOWN}.`,
});

/** Token of the example, which the tests replace by a valid one. */
export const EXAMPLE_ALERT_TOKEN = 'AQAAAAAAAQAAAAAAAQBxKvQAx3cM1yqTn0bVd5uL2eWkZA';

const outage = {
  id: 1,
  monitor: 'Shop',
  url: 'https://shop.example.com',
  type: 'uptime',
  severity: 'critical',
  status: 'open',
  root_cause: 'HTTP 503 Service Unavailable',
  regions: ['ash'],
  vantage: null,
  evidence: 'ash failed at 203.0.113.7 after 120 ms',
  started_at: '2030-01-01T00:00:00.000Z',
  ended_at: null,
  unobserved_seconds: null,
  ...acknowledgedOfLink.example,
};

export const alertLinks = noun('Alerts', createAlertLinkService, {
  getAlertLink: {
    at: 'GET /alert-links',
    needs: 'nobody',
    summary: 'See the alert of a link',
    description:
      'For the page that the links of messages lead to. Nobody needs to be signed in: the link is enough. One that is unknown, or whose alert is gone, is 404; one that has expired is 422; one whose channel is not used for the team any more is 403.',
    query: alertLinkQuery,
    answer: z
      .object({
        team: z.string().meta({ description: 'Name of the team.' }),
        kind: z.enum(['single', 'storm', 'flapping']).meta({
          description:
            'One incident, several with a shared cause, or a monitor that goes down and comes back again and again.',
        }),
        severity: z.enum(SEVERITIES),
        shared_cause: z.string().nullable().meta({ description: 'Of several.' }),
        opened_at: z.iso.datetime(),
        over_at: z.iso.datetime().nullable(),
        sent_to: z.string().meta({
          description: 'Whom the link was sent to: the name of a person, or a channel of the team.',
        }),
        timezone: z.string().nullable().meta({
          description: 'In which its messages tell times; null where nobody has chosen one.',
        }),
        incidents_count: z.int(),
        open_count: z.int(),
        unobserved_seconds: z.int().nullable().meta({
          description:
            'Of its open incidents together, or else of all: time in which none of them was observed.',
        }),
        can_acknowledge: z.boolean().meta({
          description:
            'Whether an incident waits to be acknowledged, and whoever the link was sent to may.',
        }),
        incidents,
      })
      .meta({ id: 'SentAlert', description: 'An alert that people were notified of.' }),
    example: {
      query: `token=${EXAMPLE_ALERT_TOKEN}`,
      answer: {
        team: 'My team',
        kind: 'single',
        severity: 'critical',
        shared_cause: null,
        opened_at: '2030-01-01T00:00:00.000Z',
        over_at: null,
        sent_to: '#ops (Slack)',
        timezone: 'Europe/Berlin',
        incidents_count: 1,
        open_count: 1,
        can_acknowledge: true,
        unobserved_seconds: null,
        incidents: [outage],
      },
    },
    refusals: ['not_found', 'forbidden'],
  },
  acknowledgeAlertLink: {
    at: 'POST /alert-links/acknowledge',
    needs: 'nobody',
    summary: 'Acknowledge by a link',
    description:
      "Acknowledges all incidents of the alert that are open, in the name of the person whose channel the link was sent to; nobody's where it was a channel of the team. Their reminders end. Whoever acknowledged first stays the one who did. A link that is unknown, or whose alert is gone, is 404; one that has expired is 422; one whose channel is not used for the team any more, or of somebody whose role may not change incidents, is 403.",
    body: acknowledgeInput,
    answer: z
      .object({ success: z.literal(true), message: z.string(), incidents })
      .meta({ id: 'AcknowledgedAlert', description: 'The incidents as they are now.' }),
    example: {
      body: { token: EXAMPLE_ALERT_TOKEN },
      answer: {
        success: true,
        message: 'The incident is acknowledged.',
        incidents: [{ ...outage, acknowledged_at: '2030-01-01T00:02:00.000Z' }],
      },
    },
    refusals: ['not_found', 'forbidden'],
  },
});
