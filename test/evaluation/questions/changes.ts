import { from, onFound, type Question } from '../question.ts';

/** What people let an assistant do. Each question changes something else, so that their order does not matter. */
export const CHANGES: readonly Question[] = [
  {
    asks: 'I take care of the backup.',
    who: 'editor',
    calls: [
      {
        tool: 'acknowledge_incident',
        args: { incident_id: 'Nightly backup' },
        answers: { status: 'open', acknowledged_at: '2030-01-15T09:00:00.000Z' },
      },
    ],
    before: [
      { tool: 'list_incidents', args: { status: 'open', type: 'heartbeat' } },
      { tool: 'acknowledge_incident', args: { incident_id: from(0, 'incidents', 0, 'id') } },
    ],
  },
  {
    asks: 'Tell our visitors that the payment provider is the cause.',
    who: 'editor',
    calls: [
      {
        tool: 'add_incident_update',
        args: {
          incident_id: 'Checkout',
          state: 'identified',
          text: 'Our payment provider does not answer. We are in touch with them.',
        },
        answers: { is_done: false, effect: /publish this update/ },
      },
      {
        tool: 'add_incident_update',
        args: {
          incident_id: 'Checkout',
          state: 'identified',
          text: 'Our payment provider does not answer. We are in touch with them.',
          dry_run: false,
          confirmation: from(0, 'confirmation'),
        },
        answers: { is_done: true, target: { state: 'identified', status_pages_total: 1 } },
      },
    ],
    before: [
      { tool: 'list_incidents', args: { status: 'open', type: 'uptime' } },
      {
        tool: 'add_incident_update',
        args: {
          incident_id: from(0, 'incidents', { monitor: 'Checkout' }, 'id'),
          state: 'identified',
          text: 'Our payment provider does not answer. We are in touch with them.',
        },
      },
      {
        tool: 'add_incident_update',
        args: {
          incident_id: from(0, 'incidents', { monitor: 'Checkout' }, 'id'),
          state: 'identified',
          text: 'Our payment provider does not answer. We are in touch with them.',
          dry_run: false,
          confirmation: from(1, 'confirmation'),
        },
      },
      {
        tool: 'list_incident_updates',
        args: { incident_id: from(0, 'incidents', { monitor: 'Checkout' }, 'id') },
      },
    ],
  },
  {
    asks: 'Add a monitor for https://new.acme.example, every minute.',
    who: 'editor',
    calls: [
      {
        tool: 'create_monitor',
        args: {
          url: 'https://new.acme.example',
          check_interval: 1,
          friendly_name: 'New site',
          detail: true,
        },
        answers: { name: 'New site', status: 'pending', check_interval_minutes: 1, type: 'http' },
      },
    ],
    before: [
      {
        tool: 'create_monitor',
        args: { url: 'https://new.acme.example', check_interval: 1, friendly_name: 'New site' },
      },
      { tool: 'get_monitor', args: { monitor_id: from(0, 'id'), detail: true } },
    ],
  },
  {
    asks: 'Mute the staging checks until Monday.',
    who: 'editor',
    calls: [
      {
        tool: 'schedule_maintenance',
        args: {
          name: 'Staging is muted',
          starts_at: '2030-01-15T09:00:00Z',
          ends_at: '2030-01-21T00:00:00Z',
          tags: ['staging'],
        },
        answers: {
          status: 'active',
          active_until: '2030-01-21T00:00:00.000Z',
          monitors_covered: 3,
          is_for_whole_team: false,
        },
      },
    ],
    before: [
      { tool: 'list_monitors', args: { tag: 'staging' } },
      {
        tool: 'schedule_maintenance',
        args: {
          name: 'Staging is muted',
          starts_at: '2030-01-15T09:00:00Z',
          ends_at: '2030-01-21T00:00:00Z',
          tags: ['staging'],
        },
      },
    ],
  },
  {
    asks: 'We deploy the databases for 20 minutes. Done, we are back.',
    who: 'editor',
    calls: [
      {
        tool: 'start_maintenance',
        args: { minutes: 20, groups: ['Data'] },
        answers: {
          status: 'active',
          monitors_covered: 8,
          active_until: '2030-01-15T09:20:00.000Z',
        },
      },
      {
        tool: 'end_maintenance',
        args: { maintenance_id: from(0, 'id') },
        answers: { status: 'over', active_until: null },
      },
    ],
    before: [
      { tool: 'list_groups' },
      {
        tool: 'start_maintenance',
        args: { minutes: 20, groups: [from(0, 'groups', { name: 'Data' }, 'id')] },
      },
      { tool: 'end_maintenance', args: { maintenance_id: from(1, 'id') } },
    ],
  },
  {
    asks: 'Pause the checks of our partners.',
    who: 'editor',
    calls: [
      {
        tool: 'change_monitors',
        args: { action: 'pause', filter: { tag: 'partners' }, dry_run: true },
        answers: { matched: 1 },
      },
      {
        tool: 'change_monitors',
        args: { action: 'pause', filter: { tag: 'partners' } },
        answers: { changed: 1 },
      },
      {
        tool: 'get_monitor',
        args: { monitor_id: 'Partner portal' },
        answers: { is_paused: true },
      },
    ],
    before: [
      { tool: 'list_monitors', args: { tag: 'partners' } },
      {
        tool: 'change_monitors',
        args: { action: 'pause', filter: { tag: 'partners' }, dry_run: true },
      },
      { tool: 'change_monitors', args: { action: 'pause', filter: { tag: 'partners' } } },
      { tool: 'get_monitor', args: { monitor_id: from(0, 'monitors', 0, 'id') } },
    ],
  },
  {
    asks: 'Check the docs every two minutes, and tag them "customers".',
    who: 'editor',
    calls: [
      {
        tool: 'update_monitor',
        args: {
          monitor_id: 'Docs',
          check_interval: 2,
          tags: ['production', 'customers'],
          detail: true,
        },
        answers: { check_interval_minutes: 2, tags: ['customers'] },
      },
    ],
    before: onFound('docs', 'update_monitor', {
      check_interval: 2,
      tags: ['production', 'customers'],
      detail: true,
    }),
  },
  {
    asks: 'Our phones were dead this morning from 8 to 8:30. Note that for the gateway.',
    who: 'editor',
    calls: [
      {
        tool: 'create_incident',
        args: {
          monitor_id: 'Gateway',
          started_at: '2030-01-15T08:00:00Z',
          ended_at: '2030-01-15T08:30:00Z',
          status: 'resolved',
          severity: 'warning',
          root_cause: 'The telephone line was dead',
        },
        answers: { type: 'manual', status: 'resolved', duration_seconds: 1_800 },
      },
    ],
    before: onFound('gateway', 'create_incident', {
      started_at: '2030-01-15T08:00:00Z',
      ended_at: '2030-01-15T08:30:00Z',
      status: 'resolved',
      severity: 'warning',
      root_cause: 'The telephone line was dead',
    }),
  },
  {
    asks: 'Delete the monitor of the old shop.',
    who: 'owner',
    calls: [
      {
        tool: 'delete_monitor',
        args: { monitor_id: 'Old shop' },
        answers: { is_done: false, target: { name: 'Old shop' } },
        says: ['Nothing was changed', 'show this to a person'],
      },
      {
        tool: 'delete_monitor',
        args: {
          monitor_id: 'Old shop',
          dry_run: false,
          confirmation: from(0, 'confirmation'),
        },
        answers: { is_done: true },
      },
      {
        tool: 'get_monitor',
        args: { monitor_id: 'Old shop' },
        refused: { code: 'invalid', fields: ['monitor_id'] },
        says: ['names no monitor of your team'],
      },
    ],
    before: [
      { tool: 'list_monitors', args: { q: 'old shop' } },
      { tool: 'delete_monitor', args: { monitor_id: from(0, 'monitors', 0, 'id') } },
      {
        tool: 'delete_monitor',
        args: {
          monitor_id: from(0, 'monitors', 0, 'id'),
          dry_run: false,
          confirmation: from(1, 'confirmation'),
        },
      },
      { tool: 'get_monitor', args: { monitor_id: from(0, 'monitors', 0, 'id') } },
    ],
  },
];
