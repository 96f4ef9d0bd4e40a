/** English words of the dashboard. Each section belongs to one part of it; every other language has the same ones. */
export const en = {
  /** Times and durations (lib/format.ts). */
  time: {
    locale: 'en-GB',
    units: { s: 's', min: 'min', h: 'h', d: 'd' },
    now: 'just now',
    today: 'today',
    yesterday: 'yesterday',
    ago: (duration: string) => `${duration} ago`,
    ahead: (duration: string) => `in ${duration}`,
  },

  common: {
    save: 'Save',
    cancel: 'Cancel',
    delete: 'Delete',
    edit: 'Edit',
    close: 'Close',
    retry: 'Try again',
    undo: 'Undo',
    copy: 'Copy',
    copied: 'Copied',
    more: 'More',
    loading: 'Loading…',
    optional: 'optional',
    yes: 'Yes',
    no: 'No',
    none: 'none',
    and: 'and',
    all: 'All',
    search: 'Search',
    back: 'Back',
    next: 'Next',
    previous: 'Previous',
    page: (page: number, last: number) => `Page ${page} of ${last}`,
    actionsFor: (name: string) => `Actions for ${name}`,
  },

  errors: {
    status: (status: number) => `The server answered ${status}. Try again in a moment.`,
    unreachable: "The server can't be reached. Check your connection, then try again.",
    broken: 'This page failed to show. Load it again; if it fails again, report what you did.',
    list: (count: number) =>
      count === 1 ? 'One field needs a change' : `${count} fields need a change`,
    notFound: 'There is nothing at this address',
    notFoundHint: 'It may have been deleted, or the address has a typing error.',
    deletedHint: 'It may have been deleted.',
    auditLog: 'Look it up in the audit log',
    needsRole: (role: string) => `Your role can't change this. Ask an ${role} of your team.`,
    reload: 'Load the page again',
  },

  status: {
    online: 'Up',
    offline: 'Down',
    degraded: 'Degraded',
    pending: 'Waiting for its first result',
    paused: 'Paused',
    maintenance: 'In maintenance',
    unknown: 'Not observed',
  },

  regions: {
    ash: 'Ashburn',
    pdx: 'Portland',
    nbg: 'Nuremberg',
    sin: 'Singapore',
  },

  types: {
    http: 'http',
    ping: 'ping',
    port: 'port',
    heartbeat: 'heartbeat',
    cron: 'cron',
  },

  roles: {
    viewer: 'Viewer',
    editor: 'Editor',
    admin: 'Admin',
    owner: 'Owner',
  },

  nav: {
    main: 'Main',
    skip: 'Skip to the content',
    monitors: 'Monitors',
    incidents: 'Incidents',
    statusPages: 'Status pages',
    reports: 'Reports',
    maintenance: 'Maintenance',
    groups: 'Groups',
    check: 'Check a URL',
    alerting: 'Alerting',
    channels: 'Channels',
    routes: 'Routes',
    webhooks: 'Webhooks',
    team: 'Team',
    members: 'Members',
    auditLog: 'Audit log',
    plan: 'Plan',
    settings: 'Settings',
    installation: 'Installation',
    account: 'Account',
    api: 'API reference',
    more: 'More',
    signOut: 'Sign out',
    switchTeam: 'Switch team',
    newMonitor: 'New monitor',
    open: (count: number) => `${count} open`,
    breadcrumb: 'Breadcrumb',
  },

  dialog: {
    type: (name: string) => `Type "${name}" to confirm`,
  },

  live: {
    live: 'Live',
    connecting: 'Connecting…',
    lost: (time: string) => `Not live. Last news ${time}. Trying again…`,
  },

  palette: {
    title: 'Find anything',
    hint: 'Monitor, incident, page or action',
    results: 'Results',
    none: 'Nothing found',
    kinds: {
      page: 'Page',
      action: 'Action',
      monitor: 'Monitor',
      incident: 'Open incident',
      group: 'Group',
    },
    newMaintenance: 'Plan maintenance',
    light: 'Light theme',
    dark: 'Dark theme',
    system: 'Theme of the system',
    rows: 'Dense or comfortable rows',
    english: 'English',
    german: 'Deutsch',
    shortcuts: 'Keyboard shortcuts',
    keys: {
      palette: 'Find anything',
      search: 'Search on this page',
      create: 'New monitor',
      move: 'Next or previous row',
      open: 'Open the row',
      edit: 'Edit',
      select: 'Select the row',
      go: 'Go to monitors, incidents, status pages',
      help: 'Show these shortcuts',
      close: 'Close what is open',
    },
  },

  monitors: {
    title: 'Monitors',
    down: (count: number, total: number) =>
      total === 1
        ? 'Your monitor is down'
        : `${count} of ${total} monitors ${count === 1 ? 'is' : 'are'} down`,
    degraded: (count: number, total: number) =>
      `${count} of ${total} monitors ${count === 1 ? 'is' : 'are'} degraded`,
    allUp: (count: number) => (count === 1 ? 'Your monitor is up' : `All ${count} monitors are up`),
    nothingSeen: (total: number) =>
      total === 1 ? 'One monitor, no result yet' : `${total} monitors, no result yet`,
    degradedToo: (names: string) => `Degraded: ${names}. Everything else is up.`,
    restIsUp: 'Everything else is up.',
    andMore: (count: number) => `${count} more`,
    asides: ({
      paused,
      maintenance,
      pending,
    }: Record<'paused' | 'maintenance' | 'pending', number>) =>
      [
        maintenance > 0 ? `${maintenance} in maintenance` : '',
        paused > 0 ? `${paused} paused` : '',
        pending > 0 ? `${pending} waiting for a first result` : '',
      ]
        .filter(Boolean)
        .join(', '),
    countDown: (count: number) => `${count} down`,
    countDegraded: (count: number) => `${count} degraded`,
    countMaintenance: (count: number) => `${count} in maintenance`,
    countPaused: (count: number) => `${count} paused`,
    noGroup: 'Without a group',
    openIncidents: 'Open incidents',
    moreIncidents: (count: number) => `${count} more open incidents`,
    incidentLine: (name: string, cause: string) => `${name}: ${cause}`,
    agree: (down: number, asked: number) => `${down} of ${asked} regions see it`,
    furtherIncidents: (count: number) =>
      count === 1 ? 'one more incident' : `${count} more incidents`,
    nobodyAcknowledged: 'nobody has acknowledged',
    hasIt: (name: string | null) => (name === null ? 'acknowledged' : `${name} has it`),
    causeUnknown: 'No cause is known',
    acknowledge: 'Acknowledge',
    acknowledged: 'Acknowledged',
    since: 'since',
    searchHint: 'Name, URL or tag',
    status: 'Status',
    type: 'Type',
    tag: 'Tag',
    order: 'Order',
    sorts: {
      worst: 'Worst first',
      name: 'By name',
      response: 'Slowest first',
      uptime: 'Lowest uptime first',
    },
    columns: {
      monitor: 'Monitor',
      regions: 'Regions',
      day: 'Last 24 hours',
      now: 'Now',
      uptime: '90 days',
    },
    lastDay: 'Last 24 hours',
    regionUp: 'up',
    regionDown: 'down',
    regionUnknown: 'unknown',
    observed: (share: string) => `${share} % seen`,
    pausedSince: (time: string) => `Paused, last change ${time}`,
    maintenanceUntil: (time: string) => `Maintenance until ${time}`,
    firstResultSoon: 'Waiting for its first result',
    contentChecked: (target: string) => `${target} · content is checked`,
    waitsForPing: 'Waits for its first ping: copy the URL',
    called: (ago: string) => `Called ${ago}`,
    ran: (ago: string, took: string) => `Ran ${ago} in ${took}`,
    every: (interval: string) => `every ${interval}`,
    nextAt: (time: string, zone: string) => `next ${time} ${zone}`,
    select: (name: string) => `Select ${name}`,
    checkNow: 'Check now',
    checked: (name: string) => `${name} was checked.`,
    pause: 'Pause',
    resume: 'Resume',
    paused: (name: string) => `${name} is paused.`,
    resumed: (name: string) => `${name} is checked again.`,
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteText: 'Its results, incidents and uptime are lost for good.',
    deleted: (name: string) => `${name} was deleted.`,
    emptyTitle: 'Nothing is watched yet',
    emptyText: 'Paste a URL and see its first result in a few seconds.',
    emptyAction: 'Watch something',
    noMatch: 'No monitor matches',
    clearFilters: 'Show all monitors',
  },

  monitor: {
    title: 'Monitor',
  },

  push: {
    title: 'Push monitor',
  },

  monitorForm: {
    title: 'New monitor',
  },

  start: {
    title: 'Watch something',
  },

  incidents: {
    title: 'Incidents',
  },

  incident: {
    title: 'Incident',
  },

  check: {
    title: 'Check a URL',
  },

  groups: {
    title: 'Groups',
  },

  maintenance: {
    title: 'Maintenance',
  },

  statusPages: {
    title: 'Status pages',
  },

  reports: {
    title: 'Reports',
  },

  channels: {
    title: 'Channels',
  },

  alertRoutes: {
    title: 'Routes',
  },

  webhooks: {
    title: 'Webhooks',
  },

  members: {
    title: 'Members',
  },

  auditLog: {
    title: 'Audit log',
  },

  plan: {
    title: 'Plan',
  },

  settings: {
    title: 'Settings',
  },

  installation: {
    title: 'Installation',
  },

  account: {
    title: 'Account',
  },

  entry: {
    signIn: 'Sign in',
  },
};

export type Words = typeof en;
