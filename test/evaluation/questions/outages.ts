import { from, type Question } from '../question.ts';

const NIGHT = { start_date: '2030-01-14', end_date: '2030-01-15' };
/** The incident of the checkout in the first answer. */
const CHECKOUT = from(0, 'incidents', { monitor: 'Checkout', type: 'uptime' }, 'id');

/** What is down, since when, why, for whom, and who takes care. */
export const OUTAGES: readonly Question[] = [
  {
    asks: 'What needs attention?',
    who: 'owner',
    calls: [
      {
        tool: 'get_attention',
        answers: {
          monitors: 25,
          by_status: { offline: 2, degraded: 2, paused: 1 },
          items: [
            { monitor: 'Nightly backup', severity: 'critical', acknowledged_at: null },
            { monitor: 'Checkout', severity: 'critical', since: '2030-01-15T02:10:00.000Z' },
            { monitor: 'Shop', severity: 'warning' },
            { monitor: 'Partner portal', severity: 'warning' },
            { monitor: 'Old shop', severity: 'info' },
          ],
        },
      },
    ],
  },
  {
    asks: 'What broke last night?',
    who: 'viewer',
    calls: [
      {
        tool: 'list_incidents',
        args: NIGHT,
        answers: {
          total: 4,
          incidents: [
            { monitor: 'Payment provider', status: 'resolved', duration_seconds: 720 },
            { monitor: 'Search', severity: 'warning', duration_seconds: 1_200, regions: ['sin'] },
            { monitor: 'Checkout', status: 'open', ended_at: null },
            { monitor: 'Nightly backup', type: 'heartbeat', status: 'open' },
          ],
        },
      },
    ],
  },
  {
    asks: 'Why is the checkout down?',
    who: 'viewer',
    calls: [
      {
        tool: 'get_incident',
        args: { incident_id: 'Checkout', detail: true },
        answers: {
          status: 'open',
          evidence_total: 4,
          evidence: [
            {
              regions: ['ash', 'sin'],
              failure_code: 'http_status',
              status_code: 503,
              body: { from_target: /upstream payments timed out/ },
            },
          ],
        },
        says: ['4 of 4', 'Values named from_target were sent by monitored targets'],
      },
    ],
    before: [
      { tool: 'list_incidents', args: { status: 'open', type: 'uptime' } },
      { tool: 'get_incident', args: { incident_id: CHECKOUT, detail: true } },
    ],
  },
  {
    asks: 'Is the checkout down for everyone?',
    who: 'reader',
    calls: [
      {
        tool: 'get_incident',
        args: { incident_id: 'Checkout' },
        answers: { evidence_total: 4, evidence_failed: 4, regions: null },
      },
    ],
    before: [
      { tool: 'list_incidents', args: { status: 'open' } },
      { tool: 'get_incident', args: { incident_id: CHECKOUT } },
    ],
  },
  {
    asks: 'Was search down for everyone?',
    who: 'reader',
    calls: [
      {
        tool: 'get_incident',
        args: { incident_id: 'Search' },
        answers: {
          regions: ['sin'],
          evidence_failed: 1,
          evidence: [
            { regions: ['sin'], failure_code: 'connection_timeout' },
            { regions: ['nbg'], failure_code: null, status_code: 200 },
          ],
        },
        says: ['1 of 4'],
      },
    ],
    before: [
      { tool: 'list_incidents', args: { ...NIGHT, type: 'regional' } },
      { tool: 'get_incident', args: { incident_id: from(0, 'incidents', 0, 'id') } },
    ],
  },
  {
    asks: 'Who acknowledged the checkout, and when?',
    who: 'viewer',
    calls: [
      {
        tool: 'get_incident',
        args: { incident_id: 'Checkout' },
        answers: {
          acknowledged_at: '2030-01-15T02:31:00.000Z',
          activities: [{ type: 'acknowledged', member: 'Ed' }],
        },
        hides: ['ed@example.com'],
      },
    ],
    before: [
      { tool: 'list_incidents', args: { status: 'open', type: 'uptime' } },
      { tool: 'get_incident', args: { incident_id: CHECKOUT } },
    ],
  },
  {
    asks: 'Is anything down right now?',
    who: 'reader',
    calls: [
      {
        tool: 'list_monitors',
        args: { status: 'offline' },
        answers: { total: 2, monitors: [{ name: 'Checkout' }, { name: 'Nightly backup' }] },
      },
    ],
  },
  {
    asks: 'What were the longest outages of this month that are over?',
    who: 'viewer',
    calls: [
      {
        tool: 'list_incidents',
        args: {
          start_date: '2030-01-01',
          severity: 'critical',
          status: 'resolved',
          sort: 'duration',
          direction: 'desc',
          limit: 2,
        },
        answers: {
          total: 3,
          incidents: [
            { monitor: 'API', duration_seconds: 1_500 },
            { monitor: 'Payment provider', duration_seconds: 720 },
          ],
        },
      },
    ],
  },
  {
    asks: 'What do our customers see at the moment?',
    who: 'viewer',
    calls: [
      {
        tool: 'get_status_page',
        args: { status_page_id: 'Acme status' },
        answers: {
          url: 'https://up.example.com/status/acme',
          access: 'public',
          services_not_online: 2,
          services: [{ name: 'Checkout', status: 'offline' }],
        },
      },
    ],
    before: [
      { tool: 'list_status_pages' },
      {
        tool: 'get_status_page',
        args: { status_page_id: from(0, 'status_pages', { name: 'Acme status' }, 'id') },
      },
    ],
  },
  {
    asks: 'Who is in the team, and who can change things?',
    who: 'viewer',
    calls: [
      {
        tool: 'list_setup',
        args: { kind: 'members' },
        answers: {
          members: [
            { name: 'Alice', role: 'owner' },
            { name: 'Ed', role: 'editor' },
            { name: 'Vera', role: 'viewer' },
          ],
        },
        hides: ['@example.com', 'new@acme.example'],
      },
    ],
    before: [{ tool: 'list_members' }],
  },
];
