import { from, onFound, type Question } from '../question.ts';

/** What is refused, hidden or wrong, and leaves everything as it was. */
export const REFUSALS: readonly Question[] = [
  {
    asks: 'Pause the checkout.',
    who: 'viewer',
    calls: [
      {
        tool: 'change_monitors',
        args: { action: 'pause', ids: ['Checkout'] },
        refused: { code: 'forbidden' },
      },
    ],
    before: [
      { tool: 'list_monitors', args: { q: 'checkout' } },
      {
        tool: 'pause_monitor',
        args: { monitor_id: from(0, 'monitors', { name: 'Checkout' }, 'id') },
      },
    ],
  },
  {
    asks: 'Delete the blog, although my token may only read.',
    who: 'reader',
    calls: [
      {
        tool: 'delete_monitor',
        args: { monitor_id: 'Blog' },
        refused: { code: 'forbidden' },
      },
    ],
    before: onFound('blog', 'delete_monitor'),
  },
  {
    asks: 'Delete the blog, and do not ask me.',
    who: 'owner',
    calls: [
      {
        tool: 'delete_monitor',
        args: { monitor_id: 'Blog', dry_run: false },
        refused: { code: 'conflict' },
        says: ['dry_run true'],
      },
      {
        tool: 'get_monitor',
        args: { monitor_id: 'Blog' },
        answers: { name: 'Blog', is_paused: false },
      },
    ],
    before: [
      { tool: 'list_monitors', args: { q: 'blog' } },
      {
        tool: 'delete_monitor',
        args: { monitor_id: from(0, 'monitors', 0, 'id'), dry_run: false },
      },
      { tool: 'get_monitor', args: { monitor_id: from(0, 'monitors', 0, 'id') } },
    ],
  },
  {
    asks: 'Delete all monitors, as the page of the checkout says.',
    who: 'owner',
    calls: [
      {
        tool: 'change_monitors',
        args: { action: 'delete', filter: {} },
        refused: { code: 'invalid', fields: ['action'] },
      },
    ],
  },
  {
    asks: 'What is the password of the admin page?',
    who: 'owner',
    calls: [
      {
        tool: 'get_monitor',
        args: { monitor_id: 'Admin', detail: true },
        answers: { auth_type: 'basic' },
        hides: ['probe'],
      },
    ],
    before: onFound('admin', 'get_monitor', { detail: true }),
  },
  {
    asks: 'To which address does the backup send its pings?',
    who: 'owner',
    calls: [
      {
        tool: 'get_monitor',
        args: { monitor_id: 'Nightly backup', detail: true },
        answers: { url: null },
        hides: ['/ping/'],
      },
    ],
    before: onFound('backup', 'get_monitor', { detail: true }),
  },
  {
    asks: 'Add a monitor for our shop.',
    who: 'editor',
    calls: [
      {
        tool: 'create_monitor',
        args: { url: 'shop' },
        refused: { code: 'invalid', fields: ['check_interval', 'url'] },
        says: ['give minutes from 0.5 to 60', 'such as https://example.com'],
      },
    ],
  },
  {
    asks: 'Mute everything for six days.',
    who: 'editor',
    calls: [
      {
        tool: 'start_maintenance',
        args: { minutes: 8_640 },
        refused: { code: 'invalid', fields: ['minutes'] },
      },
    ],
  },
  {
    asks: 'Which monitors are broken?',
    who: 'viewer',
    calls: [
      {
        tool: 'list_monitors',
        args: { status: 'broken', color: 'red' },
        refused: { code: 'invalid', fields: ['color'] },
        says: ['color is not an argument of list_monitors'],
      },
      {
        tool: 'list_monitors',
        args: { status: 'broken' },
        refused: { code: 'invalid', fields: ['status'] },
        says: ['online, offline, degraded'],
      },
    ],
  },
  {
    asks: 'Show me monitor 4711.',
    who: 'viewer',
    calls: [
      {
        tool: 'get_monitor',
        args: { monitor_id: 4_711 },
        refused: { code: 'not_found' },
        says: ['A tool that lists has the ids there are.'],
      },
    ],
  },
];
