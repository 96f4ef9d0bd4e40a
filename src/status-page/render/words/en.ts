import { clausesOf, countOf, named, statusOf } from './clauses.ts';
import { formatsOf, pluralOf } from './formats.ts';
import type { Words } from './words.ts';

const formats = formatsOf('en-GB', {
  minute: ' min',
  hour: ' h',
  day: { one: '# day', other: '# days' },
  lessThanAMinute: 'less than a minute',
  gap: ' ',
});
const plural = pluralOf('en');
const services = (count: number) => plural(count, '1 service', `${count} services`);
const subject = named(formats, services);
const is = (who: readonly string[] | number) =>
  `${subject(who)} ${plural(countOf(who), 'is', 'are')}`;

/** English. */
export const EN: Words = {
  ...formats,
  language: 'en',
  state: {
    allUp: 'All services are up.',
    allCheckedUp: 'All services that we check are up.',
    problems: clausesOf(
      (down) => `${is(down)} down`,
      (degraded) => `${is(degraded)} degraded`,
    ),
    maintenance: (who) => `${is(who)} under maintenance.`,
    notObserved: (who) =>
      `${subject(who)} ${plural(countOf(who), 'is', 'are')} not being observed.`,
    cannotTell: (duration) => `We can’t tell: nothing was observed for ${duration}.`,
    waiting: 'Waiting for the first checks.',
    paused: 'Checks are paused.',
    noServices: 'No incidents are reported.',
  },
  remark: {
    restWorks: 'Everything else works.',
    lastKnownUp: 'Last known: all services up.',
    lastKnown: (problems) => `Last known: ${EN.state.problems(problems)}`,
    checksFindUp: 'Our checks find all services up.',
    plannedUntil: (time) => `Planned until ${time}.`,
    asOf: (time) => `As of ${time}`,
    asOfAge: (time, age) => `As of ${time}, ${age} ago`,
  },
  service: {
    up: 'Up',
    down: 'Down',
    degraded: 'Degraded',
    maintenance: 'Maintenance',
    notObserved: 'Not observed',
    pending: 'Waiting for the first check',
    paused: 'Paused',
    downFor: (duration) => `Down for ${duration}`,
    degradedFor: (duration) => `Degraded for ${duration}`,
    maintenanceUntil: (time) => `Maintenance until ${time}`,
    notObservedSince: (time, lastKnown) =>
      `Not observed since ${time}, last known: ${lastKnown.toLowerCase()}`,
    responseTime: (time) => `Responds in ${time}`,
  },
  group: {
    allUp: 'All up',
    down: (count) => `${count} down`,
    degraded: (count) => `${count} degraded`,
    maintenance: (count) => `${count} under maintenance`,
    notObserved: (count) => `${count} not observed`,
  },
  days: {
    services: 'Services',
    lastDays: (count) => `last ${count} days`,
    daysAgo: (count) => plural(count, '1 day ago', `${count} days ago`),
    today: 'Today',
    classes: {
      up: 'Up',
      degraded: 'Degraded',
      down: 'Down',
      maintenance: 'Maintenance',
      unobserved: 'Not observed',
    },
    unobservedLegend: 'Not observed: we do not know',
    uptime: (percent) => `${percent} up`,
    observed: (percent) => `${percent} observed`,
    noFigure: 'No figure yet',
    table: 'As a table',
    otherDays: 'All other days',
    allDays: 'All days',
    span: (from, to) => `${from} to ${to}`,
    total: (duration) => `in total ${duration}`,
    uncorrectedLink: 'Figures without corrections',
  },
  uncorrected: {
    title: 'Uptime with and without corrections',
    explanation:
      'Some measured times were reclassified afterwards, for example because they belong to planned work. Both figures of the last 90 days:',
    service: 'Service',
    corrected: 'Corrected',
    asMeasured: 'As measured',
  },
  incidents: {
    open: 'Open incidents',
    past: 'Past incidents',
    none: 'No incidents.',
    history: 'Incident history',
    maintenance: 'Planned maintenance',
    states: {
      investigating: 'Investigating',
      identified: 'Identified',
      monitoring: 'Monitoring',
      resolved: 'Resolved',
      scheduled: 'Scheduled',
      in_progress: 'In progress',
      completed: 'Completed',
    },
    impact: 'Impact',
    impacts: {
      none: 'No impact',
      minor: 'Minor impact',
      major: 'Major impact',
      critical: 'Critical impact',
    },
    lasting: (duration) => `for ${duration}`,
    lasted: (duration) => `lasted ${duration}`,
    link: 'Link to this incident',
    more: 'Read more',
    planned: (title) => `Planned: ${title}`,
    began: 'Began',
    ended: 'Ended',
    plannedEnd: 'Planned end',
    duration: 'Duration',
    affected: 'Affected',
    updates: 'Updates',
    edited: 'edited',
    postMortem: 'Post-mortem',
    back: statusOf((pageName) => `Status of ${pageName}`),
    historyOf: (month) => `Incidents in ${month}`,
    noneInMonth: 'No incidents in this month.',
    earlier: 'Earlier',
    later: 'Later',
  },
  automatic: {
    title: ({ kind, impact, names, isEnded }) => {
      if (kind === 'maintenance')
        return names.length === 0 ? 'Maintenance' : `Maintenance of ${formats.list(names)}`;
      if (names.length === 0) return 'Incident';
      const verb = isEnded
        ? plural(names.length, 'was', 'were')
        : plural(names.length, 'is', 'are');
      return `${formats.list(names)} ${verb} ${impact === 'minor' ? 'degraded' : impact === 'none' ? 'affected' : 'down'}`;
    },
    text: (state, { names, impact }) => {
      const who = names.length === 0 ? 'a service' : formats.list(names);
      const are = plural(Math.max(1, names.length), 'is', 'are');
      return {
        investigating: `Our checks find that ${who} ${are} ${impact === 'minor' || impact === 'none' ? 'degraded' : 'down'}.`,
        identified: 'The cause has been identified.',
        monitoring: 'A fix is in place. We are watching the result.',
        resolved: `Our checks find that ${who} ${are} up again.`,
        scheduled: 'This maintenance is planned.',
        in_progress: 'The maintenance has begun.',
        completed: 'The maintenance is complete.',
      }[state];
    },
  },
  subscribe: {
    title: 'Get updates',
    explanation: 'By e-mail, when an incident begins, changes or ends. One click ends it.',
    email: 'E-mail address',
    submit: 'Subscribe',
    feeds: 'Feeds',
    scope: 'Updates about',
    wholePage: 'All services',
    chooseServices: 'Choose services',
    someServices: 'Only these services (none chosen: all)',
    invalidEmail: 'Enter an e-mail address such as you@example.com.',
    checkMailTitle: 'Check your mail',
    checkMail:
      'If the address is right, a mail with a link is on its way to it. Follow the link to confirm.',
    confirmTitle: 'Confirm your subscription',
    confirmText: (page) => `Updates of ${page} will be sent to your address.`,
    confirm: 'Confirm',
    confirmedTitle: 'You are subscribed',
    confirmed: (page) => `You will get a mail when an incident of ${page} begins, changes or ends.`,
    unsubscribeTitle: 'Unsubscribe',
    unsubscribeText: (page) => `You will get no more mails about ${page}.`,
    unsubscribe: 'Unsubscribe',
    unsubscribedTitle: 'You are unsubscribed',
    unsubscribed: (page) => `You get no more mails about ${page}.`,
    invalidLinkTitle: 'This link is no longer valid',
    invalidLink: 'It was used already or has expired. Subscribe again to get a new one.',
    tooManyTitle: 'Too many requests',
    tooMany: 'Try again in an hour.',
    manageTitle: 'Your subscription',
    manageText: (page) =>
      `Choose which services of ${page} you get mails about, or end the subscription.`,
    save: 'Save',
    savedTitle: 'Saved',
    saved: 'The next mails follow your choice.',
    noMailTitle: 'No mail can be sent',
    noMail: 'This installation sends no mail. Follow the feeds instead.',
  },
  mail: {
    confirmUntil: (time) => `The link works until ${time}.`,
    heldBack: 'There are many updates: those of the next hour come in one mail.',
    digestSubject: 'Latest updates',
    digestText: 'There were many updates in the last hour. This is where things stand:',
    change: 'Change or end your subscription',
    confirmSubject: (page) => `Confirm your subscription to ${page}`,
    confirmText: (page) =>
      `Someone, probably you, asked for updates of ${page} at this address. Confirm with this link:`,
    confirmIgnore: 'If it was not you, ignore this mail: you will get no other.',
    seePage: 'See the status page',
    because: (page) => `You get this mail because you subscribed to ${page}.`,
    unsubscribe: 'Unsubscribe',
  },
  signIn: {
    title: 'This page is protected',
    explanation: (page) => `Enter the password to see the status of ${page}.`,
    password: 'Password',
    submit: 'Show the page',
    wrong: 'This password is wrong.',
    tooMany: 'Too many tries. Wait a few minutes, then try again.',
    membersTitle: 'For members only',
    membersText: 'Members of the team can see this page after they sign in.',
    membersLink: 'Sign in',
    addressTitle: 'Not available from your network',
    addressText: 'This page can only be seen from certain networks.',
  },
  notFound: {
    title: 'Page not found',
    text: 'There is nothing at this address. It may have been removed.',
    noPage:
      'There is no status page at this address. Check the address for a typing error, or ask those who gave it to you.',
    badge: 'not found',
  },
  footer: { zone: (name) => `Times are in ${name}.`, monitoredBy: 'Monitored by Tocsin' },
};
