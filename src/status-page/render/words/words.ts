import type {
  AnnouncementKind,
  Impact,
  IncidentState,
  MaintenanceState,
  PageLanguage,
} from '../../facts/model.ts';
import type { Formats } from './formats.ts';

/** Classes of a day in a bar. */
export type DayClass = 'up' | 'degraded' | 'down' | 'maintenance' | 'unobserved';

/** Services that are down and degraded: their names, or how many where that is too long. */
export interface Problems {
  down: readonly string[] | number;
  degraded: readonly string[] | number;
}

/** Automatic announcement or update, to be put into words. */
export interface AutomaticSubject {
  kind: AnnouncementKind;
  impact: Impact;
  /** Affected services of the page; may be empty. */
  names: readonly string[];
  isEnded: boolean;
}

/**
 * Everything that public documents and mails to subscribers say, in one language. Texts are plain: HTML is escaped where
 * they are used.
 */
export interface Words extends Formats {
  language: PageLanguage;

  /** First sentence of a page. */
  state: {
    allUp: string;
    /** Some are up, others are paused or wait for their first check. */
    allCheckedUp: string;
    problems(problems: Problems): string;
    maintenance(names: readonly string[] | number): string;
    /** Some services are not observed. */
    notObserved(names: readonly string[] | number): string;
    /** No service is observed; a duration. */
    cannotTell(duration: string): string;
    waiting: string;
    paused: string;
    noServices: string;
  };
  /** Sentence below the first one. */
  remark: {
    restWorks: string;
    lastKnownUp: string;
    /** States before observation ended. */
    lastKnown(problems: Problems): string;
    /** A person reports an incident that checks do not see. */
    checksFindUp: string;
    plannedUntil(time: string): string;
    asOf(time: string): string;
    /** Facts that could not be refreshed. */
    asOfAge(time: string, age: string): string;
  };
  /** State of one service. */
  service: {
    up: string;
    down: string;
    degraded: string;
    maintenance: string;
    notObserved: string;
    pending: string;
    paused: string;
    downFor(duration: string): string;
    degradedFor(duration: string): string;
    maintenanceUntil(time: string): string;
    notObservedSince(time: string, lastKnown: string): string;
    responseTime(time: string): string;
  };
  /** Summary of a group. */
  group: {
    allUp: string;
    down(count: number): string;
    degraded(count: number): string;
    maintenance(count: number): string;
    notObserved(count: number): string;
  };
  /** The 90 days of a service. */
  days: {
    services: string;
    lastDays(count: number): string;
    daysAgo(count: number): string;
    today: string;
    classes: Record<DayClass, string>;
    /** Explanation of the class in the legend. */
    unobservedLegend: string;
    uptime(percent: string): string;
    observed(percent: string): string;
    noFigure: string;
    table: string;
    /** All days that the table does not name. */
    otherDays: string;
    /** All days, where the table names none. */
    allDays: string;
    /** Days from one to another. */
    span(from: string, to: string): string;
    total(duration: string): string;
    uncorrectedLink: string;
  };
  uncorrected: {
    title: string;
    explanation: string;
    service: string;
    corrected: string;
    asMeasured: string;
  };
  incidents: {
    open: string;
    past: string;
    none: string;
    history: string;
    maintenance: string;
    states: Record<IncidentState | MaintenanceState, string>;
    impact: string;
    impacts: Record<Impact, string>;
    /** Duration so far. */
    lasting(duration: string): string;
    lasted(duration: string): string;
    link: string;
    /** Link to the rest of a text or list. */
    more: string;
    planned(title: string): string;
    began: string;
    ended: string;
    plannedEnd: string;
    duration: string;
    affected: string;
    updates: string;
    edited: string;
    postMortem: string;
    back(pageName: string): string;
    historyOf(month: string): string;
    noneInMonth: string;
    earlier: string;
    later: string;
  };
  automatic: {
    title(subject: AutomaticSubject): string;
    /** Text of an automatic update in this state. */
    text(state: IncidentState | MaintenanceState, subject: AutomaticSubject): string;
  };
  subscribe: {
    title: string;
    explanation: string;
    email: string;
    submit: string;
    feeds: string;
    scope: string;
    wholePage: string;
    /** Link to the form with the services. */
    chooseServices: string;
    someServices: string;
    invalidEmail: string;
    checkMailTitle: string;
    checkMail: string;
    confirmTitle: string;
    confirmText(pageName: string): string;
    confirm: string;
    confirmedTitle: string;
    confirmed(pageName: string): string;
    unsubscribeTitle: string;
    unsubscribeText(pageName: string): string;
    unsubscribe: string;
    unsubscribedTitle: string;
    unsubscribed(pageName: string): string;
    invalidLinkTitle: string;
    invalidLink: string;
    tooManyTitle: string;
    tooMany: string;
    manageTitle: string;
    /** Above the choice of services and the button that ends the subscription. */
    manageText(pageName: string): string;
    save: string;
    savedTitle: string;
    saved: string;
    noMailTitle: string;
    noMail: string;
  };
  mail: {
    /** Until when the link of a confirmation works. */
    confirmUntil(time: string): string;
    /** Below the last mail of an hour. */
    heldBack: string;
    digestSubject: string;
    digestText: string;
    change: string;
    confirmSubject(pageName: string): string;
    confirmText(pageName: string): string;
    confirmIgnore: string;
    seePage: string;
    because(pageName: string): string;
    unsubscribe: string;
  };
  signIn: {
    title: string;
    explanation(pageName: string): string;
    password: string;
    submit: string;
    wrong: string;
    tooMany: string;
    membersTitle: string;
    membersText: string;
    membersLink: string;
    addressTitle: string;
    addressText: string;
  };
  notFound: {
    title: string;
    /** For an address below a page. */
    text: string;
    /** For an address that belongs to no page. */
    noPage: string;
    badge: string;
  };
  footer: { zone(name: string): string; monitoredBy: string };
}
