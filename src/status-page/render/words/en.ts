import type { PageLanguage } from '../../facts/model.ts';
import {
  automaticOf,
  formatsOf,
  grammarOf,
  statusOf,
  troublesOf,
  type Problems,
  type Who,
} from './formats.ts';

const formats = formatsOf('en-GB', 'less than a minute', { minute: '# min', hour: '# h' });
const { plural, subject, verb } = grammarOf('en', formats, '# service', '# services');
const is = verb('is', 'are');
const troubles = troublesOf({
  down: (who, isOver) => (isOver ? `${subject(who)} went down` : `${is(who)} down`),
  // Names such as Images are plurals themselves: what is over is said with no verb that agrees.
  degraded: (who, isOver) => (isOver ? `${subject(who)} had problems` : `${is(who)} degraded`),
});

export const EN = {
  ...formats,
  language: 'en' as PageLanguage,
  state: {
    allUp: 'All services are up.',
    /** Some are up, others are paused or wait for their first check. */
    allCheckedUp: 'All services that we check are up.',
    problems: troubles.problems,
    maintenance: (who: Who) => `${is(who)} under maintenance.`,
    notObserved: (who: Who) => `${is(who)} not being observed.`,
    /** No service is observed; a duration. */
    cannotTell: (duration: string) => `We can’t tell: nothing was observed for ${duration}.`,
    waiting: 'Waiting for the first checks.',
    paused: 'Checks are paused.',
    noServices: 'No incidents are reported.',
  },
  remark: {
    restWorks: 'Everything else works.',
    lastKnownUp: 'Last known: all services up.',
    lastKnown: (known: Problems) => `Last known: ${troubles.problems(known)}`,
    /** A person reports an incident that checks do not see. */
    checksFindUp: 'Our checks find all services up.',
    plannedUntil: (time: string) => `Planned until ${time}.`,
    /** A time, or how long ago it was: of the newest check that the page shows. */
    checked: (when: string) => `Checked ${when}`,
    asOf: (time: string) => `As of ${time}`,
    /** Facts that could not be refreshed. */
    asOfAge: (time: string, age: string) => `As of ${time}, ${age} ago`,
  },
  service: {
    up: 'Up',
    down: 'Down',
    degraded: 'Degraded',
    maintenance: 'Maintenance',
    notObserved: 'Not observed',
    pending: 'Waiting for the first check',
    paused: 'Paused',
    downFor: (duration: string) => `Down for ${duration}`,
    degradedFor: (duration: string) => `Degraded for ${duration}`,
    maintenanceUntil: (time: string) => `Maintenance until ${time}`,
    notObservedSince: (time: string, lastKnown: string) =>
      `Not observed since ${time}, last known: ${lastKnown.toLowerCase()}`,
    responseTime: (time: string) => `Responds in ${time}`,
    /** What a chart shows, in words. */
    responseTimes: (least: string, most: string) =>
      `Response times of 24 hours: ${least} to ${most}`,
  },
  group: {
    allUp: 'All up',
    down: (count: number) => `${count} down`,
    degraded: (count: number) => `${count} degraded`,
    maintenance: (count: number) => `${count} under maintenance`,
    notObserved: (count: number) => `${count} not observed`,
  },
  days: {
    services: 'Services',
    lastDays: (count: number) => `last ${count} days`,
    classes: { degraded: 'Degraded', down: 'Down', maintenance: 'Maintenance' },
    /** Explanation of the class in the legend. */
    unobservedLegend: 'Not observed: we do not know',
    uptime: (percent: string) => `${percent} up`,
    observed: (percent: string) => `${percent} observed`,
    noFigure: 'No figure yet',
    find: 'Find a service',
    noMatch: 'No service has this name.',
    table: 'As a table',
    /** All days that the table does not name. */
    otherDays: 'All other days',
    /** All days, where the table names none. */
    allDays: 'All days',
    span: (from: string, to: string) => `${from} to ${to}`,
    total: (duration: string) => `in total ${duration}`,
    /** What another service observed before. */
    imported: (day: string, source: string) =>
      `Up to ${day}: imported from ${source}, not counted in figures`,
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
    impacts: { none: 'None', minor: 'Minor', major: 'Major', critical: 'Critical' },
    lasting: (duration: string) => `for ${duration}`,
    lasted: (duration: string) => `lasted ${duration}`,
    link: 'Link to this incident',
    /** Link to the rest of a text or list. */
    more: 'Read more',
    planned: (title: string) => `Planned: ${title}`,
    began: 'Began',
    ended: 'Ended',
    plannedEnd: 'Planned end',
    duration: 'Duration',
    affected: 'Affected',
    updates: 'Updates',
    edited: 'edited',
    postMortem: 'Post-mortem',
    back: statusOf((pageName) => `Status of ${pageName}`),
    historyOf: (month: string) => `Incidents in ${month}`,
    noneInMonth: 'No incidents in this month.',
    earlier: 'Earlier',
    later: 'Later',
  },
  automatic: automaticOf(troubles, {
    aService: 'a service',
    maintenance: 'Maintenance',
    maintenanceOf: (who) => `Maintenance of ${subject(who)}`,
    incident: 'Incident',
    incidentOf: (who, isOver) => (isOver ? `Incident: ${subject(who)}` : `${is(who)} affected`),
    investigating: (clause) => `Our checks find that ${clause}.`,
    identified: 'The cause has been identified.',
    monitoring: 'A fix is in place. We are watching the result.',
    resolved: (who) => `Our checks find that ${is(who)} up again.`,
    scheduled: 'This maintenance is planned.',
    in_progress: 'The maintenance has begun.',
    completed: 'The maintenance is complete.',
  }),
  subscribe: {
    title: 'Get updates',
    explanation:
      'One message when an incident or maintenance begins, changes or ends. One click ends it.',
    email: 'E-mail address',
    submit: 'Subscribe',
    feeds: 'Feeds',
    /** Link to the form with the services. */
    chooseServices: 'Choose services',
    someServices: 'Only these services (none chosen: all)',
    invalidEmail: 'Enter an e-mail address such as you@example.com.',
    checkMailTitle: 'Check your mail',
    checkMail:
      'If the address is right, a mail with a link is on its way to it. Follow the link to confirm.',
    confirmTitle: 'Confirm your subscription',
    confirmText: (page: string) => `Updates of ${page} will be sent to your address.`,
    confirm: 'Confirm',
    confirmedTitle: 'You are subscribed',
    confirmed: (page: string) =>
      `You will get a message when an incident of ${page} begins, changes or ends.`,
    unsubscribeTitle: 'Unsubscribe?',
    unsubscribeText: (page: string) => `You will get no more messages about ${page}.`,
    unsubscribe: 'Unsubscribe',
    unsubscribedTitle: 'You are unsubscribed',
    unsubscribed: (page: string) => `You get no more messages about ${page}.`,
    invalidLinkTitle: 'This link is no longer valid',
    invalidLink: 'It was used already or has expired. Subscribe again to get a new one.',
    tooManyTitle: 'Too many requests',
    tooMany: 'Try again in an hour.',
    manageTitle: 'Your subscription',
    /** Above the choice of services and the button that ends the subscription. */
    manageText: (page: string) =>
      `Choose which services of ${page} you get messages about, or end the subscription.`,
    save: 'Save',
    savedTitle: 'Saved',
    saved: 'The next messages follow your choice.',
    notOfferedTitle: 'Not offered here',
    notOffered: 'Choose another way to get updates of this page.',
    ways: { email: 'E-mail', webhook: 'Webhook', sms: 'Text message' },
    hook: 'Address of the webhook',
    number: 'Phone number',
    hints: {
      slack:
        'In Slack, add the app “Incoming WebHooks” to a channel, and copy the address that it shows.',
      microsoft_teams:
        'In Teams, open “Workflows” of a channel, choose “Send webhook alerts to a channel”, and copy the address that it shows.',
      webhook:
        'For programs: each update is a signed POST request with JSON. The first one holds a challenge, which the answer must repeat.',
      sms: 'With the country code. At most ten messages an hour.',
    },
    invalid: (example: string) => `Enter it in the form ${example}.`,
    stepTitle: 'One more step',
    step: {
      channel:
        'A message is on its way to the channel. Confirm by its button: until then nothing else is sent.',
      webhook:
        'A request is on its way to the webhook. It is subscribed once it answers with the challenge, or somebody opens the link in it.',
      sms: 'A text message with a link is on its way. Open the link to confirm.',
    },
    secret: 'Signing secret',
    also: 'Also by',
    sent: (count: number) =>
      `${count} ${plural(count, 'message', 'messages')} in the last 90 days.`,
    smsPaused: 'There are many updates: those of the next hour are on the page only.',
  },
  mail: {
    /** Until when the link of a confirmation works. */
    confirmUntil: (time: string) => `The link works until ${time}.`,
    /** Below the last mail of an hour. */
    heldBack: 'There are many updates: those of the next hour come in one mail.',
    digestSubject: 'Latest updates',
    digestText: 'There were many updates in the last hour. This is where things stand:',
    change: 'Change or end your subscription',
    confirmSubject: (page: string) => `Confirm your subscription to ${page}`,
    confirmText: (page: string) =>
      `Someone, probably you, asked for updates of ${page} at this address. Confirm with this link:`,
    confirmIgnore: 'If it was not you, ignore this mail: you will get no other.',
    seePage: 'See the status page',
    because: (page: string) => `You get this mail because you subscribed to ${page}.`,
    unsubscribe: 'Unsubscribe',
  },
  signIn: {
    title: 'This page is protected',
    explanation: (page: string) => `Enter the password to see the status of ${page}.`,
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
    /** For an address below a page. */
    text: 'There is nothing at this address. It may have been removed.',
    /** For an address that belongs to no page. */
    noPage:
      'There is no status page at this address. Check the address for a typing error, or ask those who gave it to you.',
    badge: 'not found',
  },
  links: { contact: 'Contact', terms: 'Terms' },
  footer: { zone: (name: string) => `Times are in ${name}.`, monitoredBy: 'Monitored by Tocsin' },
};

export type Words = typeof EN;
