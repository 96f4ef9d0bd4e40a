import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { eventfulFacts } from '../../../test/support/feed-facts.ts';
import {
  incidentFacts,
  PAGE_NOW,
  pageFacts,
  serviceFacts,
} from '../../../test/support/page-facts.ts';
import type { Impact, ServiceFacts } from '../facts/model.ts';
import { renderSummary } from './summary.ts';

const time = { type: 'string', format: 'date-time' };
const id = { type: 'string', minLength: 1 };
const timeOrNull = { anyOf: [time, { type: 'null' }] };

const componentSchema = {
  type: 'object',
  required: [
    'id',
    'name',
    'status',
    'created_at',
    'updated_at',
    'position',
    'group_id',
    'page_id',
    'group',
    'only_show_if_degraded',
    'showcase',
    'start_date',
    'description',
  ],
  properties: {
    id,
    name: { type: 'string' },
    status: {
      enum: [
        'operational',
        'degraded_performance',
        'partial_outage',
        'major_outage',
        'under_maintenance',
      ],
    },
    created_at: time,
    updated_at: time,
    position: { type: 'integer', minimum: 1 },
    group_id: { anyOf: [id, { type: 'null' }] },
    page_id: id,
    group: { type: 'boolean' },
    components: { type: 'array', items: id },
  },
};

function announcement(statuses: string[], impacts: string[], more: Record<string, object>) {
  return {
    type: 'object',
    required: [
      'id',
      'name',
      'status',
      'impact',
      'created_at',
      'updated_at',
      'started_at',
      'monitoring_at',
      'resolved_at',
      'shortlink',
      'page_id',
      'incident_updates',
      'components',
      ...Object.keys(more),
    ],
    properties: {
      id,
      name: { type: 'string', minLength: 1 },
      status: { enum: statuses },
      impact: { enum: impacts },
      created_at: time,
      updated_at: time,
      started_at: time,
      monitoring_at: timeOrNull,
      resolved_at: timeOrNull,
      shortlink: { type: 'string', format: 'uri' },
      incident_updates: {
        type: 'array',
        items: {
          type: 'object',
          required: [
            'id',
            'status',
            'body',
            'incident_id',
            'created_at',
            'updated_at',
            'display_at',
          ],
          properties: {
            id,
            body: { type: 'string', minLength: 1 },
            incident_id: id,
            created_at: time,
            display_at: time,
          },
        },
      },
      components: { type: 'array', items: componentSchema },
      ...more,
    },
  };
}

/** The shape of `summary.json` that clients of hosted status pages read. */
const ajv = new Ajv({ strict: true, strictRequired: false });
formats.default(ajv);
const valid = ajv.compile({
  type: 'object',
  required: ['page', 'status', 'components', 'incidents', 'scheduled_maintenances'],
  properties: {
    page: {
      type: 'object',
      required: ['id', 'name', 'url', 'time_zone', 'updated_at'],
      properties: { id, url: { type: 'string', format: 'uri' }, updated_at: time },
    },
    status: {
      type: 'object',
      required: ['indicator', 'description'],
      properties: {
        indicator: { enum: ['none', 'minor', 'major', 'critical'] },
        description: { type: 'string', minLength: 1 },
      },
    },
    components: { type: 'array', items: componentSchema },
    incidents: {
      type: 'array',
      items: announcement(
        ['investigating', 'identified', 'monitoring'],
        ['none', 'minor', 'major', 'critical'],
        {},
      ),
    },
    scheduled_maintenances: {
      type: 'array',
      items: announcement(['scheduled', 'in_progress', 'verifying'], ['maintenance'], {
        scheduled_for: time,
        scheduled_until: timeOrNull,
      }),
    },
  },
});

interface Summary {
  status: { indicator: string; observed: boolean; description: string };
  components: {
    id: string;
    name: string;
    status: string;
    observed: boolean;
    group_id: string | null;
    position: number;
    components?: string[];
  }[];
  incidents: { id: string; components: { id: string }[] }[];
  scheduled_maintenances: { id: string }[];
}

function summaryOf(facts: Parameters<typeof renderSummary>[0]): Summary {
  const summary = JSON.parse(JSON.stringify(renderSummary(facts, PAGE_NOW)));
  expect(valid(summary), JSON.stringify(valid.errors)).toBe(true);
  return summary;
}

const down = serviceFacts('A', { status: 'offline' });
const OLD = PAGE_NOW - 3_600_000;

describe('the summary', () => {
  it('has the shape of hosted pages: open incidents and maintenance to come, groups before their members [42.53]', () => {
    const {
      components,
      incidents,
      scheduled_maintenances: maintenances,
    } = summaryOf(eventfulFacts());
    expect(
      components.map(({ id: own, name, status, group_id: group, position }) => [
        own,
        name,
        status,
        group,
        position,
      ]),
    ).toStrictEqual([
      ['12', 'Search', 'operational', null, 1],
      ['group-1', 'Shop', 'partial_outage', null, 2],
      ['11', 'Checkout', 'major_outage', 'group-1', 3],
      ['13', 'Mail', 'operational', 'group-1', 4],
    ]);
    expect(components[1]!.components).toStrictEqual(['11', '13']);
    expect(
      incidents.map((incident) => [incident.id, incident.components.map((one) => one.id)]),
    ).toStrictEqual([['7', ['11']]]);
    expect(maintenances.map((one) => one.id)).toStrictEqual(['8']);
  });

  it.each<
    [
      title: string,
      changes: Partial<ServiceFacts>,
      status: string | null,
      observed: boolean | null,
      indicator: string,
    ]
  >([
    ['up', {}, 'operational', true, 'none'],
    ['degraded', { status: 'degraded' }, 'degraded_performance', true, 'minor'],
    ['down', { status: 'offline' }, 'major_outage', true, 'critical'],
    [
      'in maintenance',
      { status: 'offline', maintenanceUntil: PAGE_NOW + 1 },
      'under_maintenance',
      true,
      'none',
    ],
    ['not observed, last known up', { observedUntil: OLD }, 'operational', false, 'minor'],
    [
      'not observed, last known down',
      { observedUntil: OLD, status: 'offline' },
      'major_outage',
      false,
      'critical',
    ],
    ['paused', { isPaused: true, status: 'degraded' }, 'degraded_performance', false, 'minor'],
    [
      'waiting for the first check',
      { status: 'pending', observedUntil: null, statusSince: null },
      null,
      null,
      'minor',
    ],
  ])('tells a service that is %s [42.54]', (_title, changes, status, observed, indicator) => {
    const summary = summaryOf(pageFacts([serviceFacts('A', changes)]));
    const [component] = summary.components;
    expect(component?.status ?? null).toBe(status);
    expect(component?.observed ?? null).toBe(observed);
    expect(summary.status.indicator).toBe(indicator);
    expect(summary.status.observed).toBe(observed ?? false);
  });

  it('claims nothing when its facts are old [42.54]', () => {
    const facts = pageFacts([serviceFacts('A')], { readAt: OLD });
    expect(summaryOf(facts)).toMatchObject({
      status: { indicator: 'minor', observed: false },
      components: [{ observed: false }],
    });
  });

  it.each<[impact: Impact, indicator: string]>([
    ['none', 'none'],
    ['minor', 'minor'],
    ['major', 'major'],
    ['critical', 'critical'],
  ])('counts an open incident of impact %s [42.54]', (impact, indicator) => {
    const facts = pageFacts([serviceFacts('A')], { announcements: [incidentFacts({ impact })] });
    expect(summaryOf(facts).status.indicator).toBe(indicator);
  });

  it('is major when some services are down, and critical when all are [42.54]', () => {
    expect(summaryOf(pageFacts([down, serviceFacts('B')])).status.indicator).toBe('major');
    expect(summaryOf(pageFacts([down])).status.indicator).toBe('critical');
  });
});
