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
    new: 'New channel',
    noneTitle: 'Nobody is notified yet',
    allWell: (count: number) =>
      count === 1 ? 'The channel of the team works' : `All ${count} channels of the team work`,
    someFail: (failing: number, all: number) =>
      failing === all
        ? 'No channel of the team gets through'
        : `${failing} of ${all} channels of the team ${failing === 1 ? 'needs' : 'need'} attention`,
    ownWell: 'Your own channels work',
    ownFail: 'One of your own channels needs attention',
    headText: 'Where alerts go when something breaks.',
    ofTeam: 'Channels of the team',
    ofTeamText: 'Chats, pagers and mailboxes that routes send alerts to.',
    ofTeamHidden: 'Admins of your team manage the channels of the team.',
    emptyTitle: 'The team has no channel yet',
    emptyText:
      'Add the place where you look first: a chat, a pager, a mailbox. Alerts reach it at once.',
    own: 'Your own',
    ownText: 'Notify you alone. Nobody else sees or changes them.',
    ownEmpty: 'You get no alerts yourself. Choose a way below.',
    add: 'Add',
    addOwn: 'Add a way to reach you',
    chooseTitle: 'Where should alerts go?',
    chooseOwnTitle: 'How should we reach you?',
    chooseText: 'Choose the service. You can send a test before anything breaks.',
    forTeam: 'For the team',
    forMe: 'For me',
    unknownType: 'This kind of channel does not exist',
    create: 'Create channel',
    created: (name: string) => `${name} is set up. Send a test to see whether it arrives.`,
    saved: (name: string) => `${name} is saved.`,
    deleted: (name: string) => `${name} is deleted.`,
    turnedOn: (name: string) => `${name} is on.`,
    turnedOff: (name: string) => `${name} is off: it gets no alerts.`,
    turnOn: 'Turn on',
    turnOff: 'Turn off',
    works: (name: string) => `${name} gets through`,
    untried: (name: string) => `${name} has sent nothing yet`,
    fails: (name: string) => `${name} does not get through`,
    isOff: (name: string) => `${name} is off`,
    warned: (name: string) => `${name} can't send`,
    notSetUp: (name: string) => `${name} is not set up yet`,
    stateOff: 'Off',
    stateUntried: 'Nothing sent yet',
    stateLast: 'Last message',
    stateFailing: 'Failing since',
    unconfirmed: 'Your address is not confirmed. Confirm it on your account page first.',
    noMail: 'This installation sends no mail. Its operator must set SMTP_URL.',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteText: 'Its delivery log is deleted too. Messages that wait are not sent.',
    deleteRoutes: (names: string) => `These routes go on without it: ${names}.`,
    deleteOwnText: 'Alerts no longer reach you this way. You can set it up again.',
    test: 'Send a test',
    testing: 'Sending…',
    testText: 'Sends a message now, even while the channel is off.',
    testDone: 'The test got through',
    testFailed: 'The test failed',
    connection: 'Connection',
    name: 'Name',
    nameHint: (title: string) => `Shown in lists and routes. "${title}" unless set.`,
    rules: 'What it gets',
    enabled: 'Send alerts to this channel',
    isDefault: 'Default channel',
    isDefaultHint: 'Gets alerts that no route matches.',
    severity: 'Severities',
    severities: { critical: 'Critical', warning: 'Warning', info: 'Info' },
    severityHints: {
      critical: 'Down everywhere, an invalid certificate, a missed job.',
      warning: 'Slow, unreachable from some regions, about to expire.',
      info: 'For your information, such as changed DNS records.',
    },
    quiet: 'Quiet hours',
    quietHint: 'Alerts wait until they end. What is resolved by then is not sent.',
    quietFrom: 'From',
    quietTo: 'To',
    quietNextDay: 'the next day',
    quietDays: 'Days on which they begin (none for every day)',
    quietZone: 'Time zone of these hours',
    quietCritical: 'Critical alerts get through all the same',
    weekdays: {
      mon: 'Mon',
      tue: 'Tue',
      wed: 'Wed',
      thu: 'Thu',
      fri: 'Fri',
      sat: 'Sat',
      sun: 'Sun',
    },
    zone: 'Time zone in messages',
    zoneUnset: 'UTC',
    zoneOwn: 'That of your account',
    facts: {
      isDefault: 'Default',
      quiet: (from: string, to: string) => `quiet ${from}–${to}`,
      all: 'all severities',
      only: (list: string) => `${list} only`,
    },
    usedBy: 'Used by',
    usedByDefault: 'Alerts that no route matches',
    usedByNobody: 'No route names it, and it is no default: it gets no alerts.',
    deliveries: 'Last messages',
    deliveriesEmpty: 'Nothing was sent here yet. Tests are not listed.',
    columns: { when: 'When', what: 'Message', result: 'Result', attempts: 'Attempts' },
    kinds: {
      alarm: 'Alert',
      update: 'Update',
      reminder: 'Reminder',
      escalation: 'Escalation',
      recovery: 'Recovery',
      blind_spot: 'Missed alerts',
      notice: 'Notice',
      test: 'Test',
    },
    statuses: {
      pending: 'Waiting',
      delivered: 'Delivered',
      failed: 'Failed',
      expired: 'Expired',
      superseded: 'Replaced by a later one',
    },
    nextAttempt: 'next attempt',
    httpStatus: (code: number) => `HTTP ${code}`,
    push: {
      off: 'Off in this browser',
      here: 'On in this browser',
      elsewhere:
        'On in another browser. Only one is notified at a time: turning it on here turns it off there.',
      turnOn: 'Turn on in this browser',
      unsupported:
        'This browser has no push messages, or this page is not served over HTTPS. Open it over HTTPS in a current browser.',
      blocked:
        'This browser blocks notifications of this site. Allow them in its settings, then try again.',
      noKeys: 'This browser does not support encrypted push messages.',
      failed: (reason: string) => `This browser could not subscribe at its push service: ${reason}`,
      done: 'Alerts now show in this browser, even while no page is open.',
    },
    types: {
      email: { title: 'E-mail', text: 'To one or more addresses.' },
      slack: { title: 'Slack', text: 'A message in a Slack channel.' },
      discord: { title: 'Discord', text: 'A message in a Discord channel or thread.' },
      microsoft_teams: { title: 'Microsoft Teams', text: 'A card in a Teams channel or chat.' },
      telegram: { title: 'Telegram', text: 'A bot writes to a person, group or channel.' },
      pagerduty: { title: 'PagerDuty', text: 'Opens an incident, and closes it on recovery.' },
      opsgenie: { title: 'Opsgenie', text: 'Opens an alert, also in Jira Service Management.' },
      ntfy: { title: 'ntfy', text: 'Push to phones, by ntfy.sh or your own server.' },
      pushover: { title: 'Pushover', text: 'Push to phones, with alarms that repeat.' },
      gotify: { title: 'Gotify', text: 'Push by your own Gotify server.' },
      mattermost: { title: 'Mattermost', text: 'A message in a Mattermost channel.' },
      google_chat: { title: 'Google Chat', text: 'A card in a Google Chat space.' },
      sms: { title: 'SMS', text: 'A text message by Twilio or a compatible service.' },
      web_push: { title: 'This browser', text: 'Notifications, even while no page is open.' },
    },
    ownMailText: 'To the address of your account.',
    settings: {
      addresses: ['Addresses', 'One on each line. Each gets a mail of its own.'],
      webhook_url: ['Webhook address', 'Kept encrypted and never shown again.'],
      bot_token: ['Bot token', 'The token that @BotFather gave you.'],
      chat_id: [
        'Chat',
        'Number of the chat, or @name of a public group. A person must start the bot first.',
      ],
      thread_id: ['Topic', 'Number of a topic, in a group that has topics.'],
      to: ['Phone number', 'With its country code, such as +4915112345678.'],
      from: [
        'Sender',
        'A number of the account, a short code, a sender name, or the SID of a messaging service (MG…).',
      ],
      account_sid: ['Account SID', 'Begins with AC.'],
      auth_token: ['Auth token', 'Of the account, or the secret of the API key.'],
      api_key_sid: [
        'API key SID',
        'Begins with SK; only when the token is the secret of an API key.',
      ],
      api_url: ['API address', 'Of a service compatible with Twilio; Twilio itself unless set.'],
      routing_key: [
        'Integration key',
        'Of an Events API v2 integration of a service: 32 letters and digits.',
      ],
      region: ['Region', 'Where your account is; us unless set.'],
      api_key: ['API key', 'Of an API integration.'],
      server_url: ['Server', 'Address of the server. For ntfy, https://ntfy.sh unless set.'],
      topic: ['Topic', 'Anyone who knows it can read along: choose one that nobody guesses.'],
      token: ['Token', 'Of an application, or for a protected topic.'],
      user: ['User key', 'Key of the user or group that is notified.'],
      emergency_retry: [
        'Repeat every (seconds)',
        'Critical alerts sound again until somebody confirms them.',
      ],
      emergency_expire: ['Stop repeating after (seconds)', '3600 unless set.'],
    },
    secretKept: 'Stored. Leave the dots to keep it, or type a new one.',
    notSet: 'not set',
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
