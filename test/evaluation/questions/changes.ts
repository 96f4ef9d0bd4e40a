import { from, type Question } from '../question.ts';

/** What people let an assistant do. Each question changes something else, so that their order does not matter. */
export const CHANGES: readonly Question[] = [
  {
    asks: 'I take care of the backup.',
    who: 'editor',
    calls: [
      { tool: 'list_incidents', args: { status: 'open', type: 'heartbeat' } },
      {
        tool: 'acknowledge_incident',
        args: { incident_id: from(0, 'incidents', 0, 'id') },
        answers: { status: 'open', acknowledged_at: '2030-01-15T09:00:00.000Z' },
      },
    ],
  },
  {
    asks: 'Tell our visitors that the payment provider is the cause.',
    who: 'editor',
    calls: [
      { tool: 'list_incidents', args: { status: 'open', type: 'uptime' } },
      {
        tool: 'add_incident_update',
        args: {
          incident_id: from(0, 'incidents', { monitor: 'Checkout' }, 'id'),
          state: 'identified',
          text: 'Our payment provider does not answer. We are in touch with them.',
        },
        answers: { is_done: false, effect: /publish this update/ },
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
        answers: { is_done: true, target: { state: 'identified', status_pages_total: 1 } },
      },
      {
        tool: 'list_incident_updates',
        args: { incident_id: from(0, 'incidents', { monitor: 'Checkout' }, 'id') },
        answers: { updates: [{ state: 'identified', text: /We are in touch with them/ }] },
      },
    ],
  },
  {
    asks: 'Add a monitor for https://new.acme.example, every minute.',
    who: 'editor',
    calls: [
      {
        tool: 'create_monitor',
        args: { url: 'https://new.acme.example', check_interval: 1, friendly_name: 'New site' },
        answers: { name: 'New site', status: 'pending' },
      },
      {
        tool: 'get_monitor',
        args: { monitor_id: from(0, 'id'), detail: true },
        answers: { check_interval_minutes: 1, type: 'http' },
      },
    ],
  },
  {
    asks: 'Mute the staging checks until Monday.',
    who: 'editor',
    calls: [
      { tool: 'list_monitors', args: { tag: 'staging' }, answers: { total: 3 } },
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
  },
  {
    asks: 'We deploy the databases for 20 minutes. Done, we are back.',
    who: 'editor',
    calls: [
      { tool: 'list_groups', answers: { groups: [{ name: 'Data' }] } },
      {
        tool: 'start_maintenance',
        args: { minutes: 20, groups: [from(0, 'groups', { name: 'Data' }, 'id')] },
        answers: {
          status: 'active',
          monitors_covered: 8,
          active_until: '2030-01-15T09:20:00.000Z',
        },
      },
      {
        tool: 'end_maintenance',
        args: { maintenance_id: from(1, 'id') },
        answers: { status: 'over', active_until: null },
      },
    ],
  },
  {
    asks: 'Pause the checks of our partners.',
    who: 'editor',
    calls: [
      { tool: 'list_monitors', args: { tag: 'partners' }, answers: { total: 1 } },
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
        args: { monitor_id: from(0, 'monitors', 0, 'id') },
        answers: { is_paused: true },
      },
    ],
  },
  {
    asks: 'Check the docs every two minutes, and tag them "customers".',
    who: 'editor',
    calls: [
      { tool: 'list_monitors', args: { q: 'docs' } },
      {
        tool: 'update_monitor',
        args: {
          monitor_id: from(0, 'monitors', 0, 'id'),
          check_interval: 2,
          tags: ['production', 'customers'],
          detail: true,
        },
        answers: { check_interval_minutes: 2, tags: ['customers'] },
      },
    ],
  },
  {
    asks: 'Our phones were dead this morning from 8 to 8:30. Note that for the gateway.',
    who: 'editor',
    calls: [
      { tool: 'list_monitors', args: { q: 'gateway' } },
      {
        tool: 'create_incident',
        args: {
          monitor_id: from(0, 'monitors', 0, 'id'),
          started_at: '2030-01-15T08:00:00Z',
          ended_at: '2030-01-15T08:30:00Z',
          status: 'resolved',
          severity: 'warning',
          root_cause: 'The telephone line was dead',
        },
        answers: { type: 'manual', status: 'resolved', duration_seconds: 1_800 },
      },
    ],
  },
  {
    asks: 'Delete the monitor of the old shop.',
    who: 'owner',
    calls: [
      { tool: 'list_monitors', args: { q: 'old shop' }, answers: { total: 1 } },
      {
        tool: 'delete_monitor',
        args: { monitor_id: from(0, 'monitors', 0, 'id') },
        answers: { is_done: false, target: { name: 'Old shop' } },
        says: ['Nothing was changed', 'show this to a person'],
      },
      {
        tool: 'delete_monitor',
        args: {
          monitor_id: from(0, 'monitors', 0, 'id'),
          dry_run: false,
          confirmation: from(1, 'confirmation'),
        },
        answers: { is_done: true },
      },
      {
        tool: 'get_monitor',
        args: { monitor_id: from(0, 'monitors', 0, 'id') },
        refused: { code: 'not_found' },
      },
    ],
  },
];
