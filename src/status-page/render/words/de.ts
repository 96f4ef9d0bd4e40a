import type { Words } from './en.ts';
import { automaticOf, formatsOf, grammarOf, statusOf, troublesOf } from './formats.ts';

const formats = formatsOf('de', 'weniger als 1 Min.');
const { plural, subject, verb } = grammarOf('de', formats, '# Dienst', '# Dienste');
const is = verb('ist', 'sind', 'war', 'waren');
/** Where something else begins the sentence. */
const isBefore = (who: readonly string[]) => `${plural(who.length, 'ist', 'sind')} ${subject(who)}`;
const OUTCOMES = { down: 'ausgefallen', degraded: 'beeinträchtigt' };
const troubles = troublesOf({
  down: (who, isOver) => `${is(who, isOver)} ${OUTCOMES.down}`,
  degraded: (who, isOver) => `${is(who, isOver)} ${OUTCOMES.degraded}`,
});

export const DE: Words = {
  ...formats,
  language: 'de',
  state: {
    allUp: 'Alle Dienste sind verfügbar.',
    allCheckedUp: 'Alle geprüften Dienste sind verfügbar.',
    problems: troubles.problems,
    maintenance: (who) => `${verb('wird', 'werden')(who)} gewartet.`,
    notObserved: (who) => `${verb('wird', 'werden')(who)} derzeit nicht beobachtet.`,
    cannotTell: (duration) =>
      `Der Zustand ist unbekannt: Die letzte Beobachtung liegt ${duration} zurück.`,
    waiting: 'Die ersten Prüfungen stehen noch aus.',
    paused: 'Die Prüfungen sind angehalten.',
    noServices: 'Es sind keine Störungen gemeldet.',
  },
  remark: {
    restWorks: 'Alles andere funktioniert.',
    lastKnownUp: 'Zuletzt bekannt: alle Dienste verfügbar.',
    lastKnown: (known) => `Zuletzt bekannt: ${troubles.problems(known)}`,
    checksFindUp: 'Unsere Prüfungen erreichen alle Dienste.',
    plannedUntil: (time) => `Geplant bis ${time}.`,
    checked: (when) => `Zuletzt geprüft: ${when}`,
    asOf: (time) => `Stand: ${time}`,
    asOfAge: (time, age) => `Stand: ${time}, vor ${dative(age)}`,
  },
  service: {
    up: 'Verfügbar',
    down: 'Ausgefallen',
    degraded: 'Beeinträchtigt',
    maintenance: 'Wartung',
    notObserved: 'Nicht beobachtet',
    pending: 'Erste Prüfung steht aus',
    paused: 'Angehalten',
    downFor: (duration) => `Ausgefallen seit ${dative(duration)}`,
    degradedFor: (duration) => `Beeinträchtigt seit ${dative(duration)}`,
    maintenanceUntil: (time) => `Wartung bis ${time}`,
    notObservedSince: (time, lastKnown) =>
      `Nicht beobachtet seit ${time}, zuletzt bekannt: ${lastKnown.toLowerCase()}`,
    responseTime: (time) => `Antwortet in ${time}`,
    responseTimes: (least, most) => `Antwortzeiten in 24 Stunden: ${least} bis ${most}`,
  },
  group: {
    allUp: 'Alle verfügbar',
    down: (count) => `${count} ausgefallen`,
    degraded: (count) => `${count} beeinträchtigt`,
    maintenance: (count) => `${count} in Wartung`,
    notObserved: (count) => `${count} nicht beobachtet`,
  },
  days: {
    services: 'Dienste',
    lastDays: (count) => `letzte ${count} Tage`,
    classes: { degraded: 'Beeinträchtigt', down: 'Ausfall', maintenance: 'Wartung' },
    unobservedLegend: 'Nicht beobachtet: Zustand unbekannt',
    uptime: (percent) => `${percent} verfügbar`,
    observed: (percent) => `${percent} beobachtet`,
    noFigure: 'Noch kein Wert',
    find: 'Dienst suchen',
    noMatch: 'Kein Dienst heißt so.',
    table: 'Als Tabelle',
    otherDays: 'Alle anderen Tage',
    allDays: 'Alle Tage',
    span: (from, to) => `${from} bis ${to}`,
    total: (duration) => `insgesamt ${duration}`,
    imported: (day: string, source: string) =>
      `Bis ${day}: importiert aus ${source}, in den Werten nicht enthalten`,
    uncorrectedLink: 'Werte ohne Korrekturen',
  },
  uncorrected: {
    title: 'Verfügbarkeit mit und ohne Korrekturen',
    explanation:
      'Einige gemessene Zeiten wurden nachträglich neu eingestuft, etwa weil sie zu geplanten Arbeiten gehören. Beide Werte der letzten 90 Tage:',
    service: 'Dienst',
    corrected: 'Korrigiert',
    asMeasured: 'Wie gemessen',
  },
  incidents: {
    past: 'Vergangene Störungen',
    none: 'Keine Störungen.',
    history: 'Frühere Störungen',
    maintenance: 'Geplante Wartungen',
    states: {
      investigating: 'Wird untersucht',
      identified: 'Ursache gefunden',
      monitoring: 'Unter Beobachtung',
      resolved: 'Behoben',
      scheduled: 'Geplant',
      in_progress: 'Im Gange',
      completed: 'Abgeschlossen',
    },
    impact: 'Auswirkung',
    impacts: { none: 'Keine', minor: 'Gering', major: 'Groß', critical: 'Kritisch' },
    lasting: (duration) => `seit ${dative(duration)}`,
    lasted: (duration) => `dauerte ${duration}`,
    link: 'Link zu dieser Störung',
    more: 'Weiterlesen',
    planned: (title) => `Geplant: ${title}`,
    began: 'Beginn',
    ended: 'Ende',
    plannedEnd: 'Geplantes Ende',
    duration: 'Dauer',
    affected: 'Betroffen',
    updates: 'Meldungen',
    edited: 'bearbeitet',
    postMortem: 'Nachbetrachtung',
    back: statusOf((pageName) => `Status von ${pageName}`),
    historyOf: (month) => `Störungen im ${month}`,
    noneInMonth: 'Keine Störungen in diesem Monat.',
    earlier: 'Früher',
    later: 'Später',
  },
  automatic: automaticOf(troubles, {
    aService: 'ein Dienst',
    maintenance: 'Wartung',
    maintenanceOf: (who) => `Wartung von ${subject(who)}`,
    incident: 'Störung',
    incidentOf: (who, isOver) => `${is(who, isOver)} betroffen`,
    investigating: (_, who, how) => `Nach unseren Prüfungen ${isBefore(who)} ${OUTCOMES[how]}.`,
    identified: 'Die Ursache ist gefunden.',
    monitoring: 'Die Störung sollte behoben sein. Wir beobachten das Ergebnis.',
    resolved: (who) => `Nach unseren Prüfungen ${isBefore(who)} wieder verfügbar.`,
    scheduled: 'Diese Wartung ist geplant.',
    in_progress: 'Die Wartung hat begonnen.',
    completed: 'Die Wartung ist abgeschlossen.',
  }),
  subscribe: {
    title: 'Updates erhalten',
    explanation:
      'Eine Nachricht, wenn eine Störung oder Wartung beginnt, sich ändert oder endet. Mit einem Klick abbestellbar.',
    email: 'E-Mail-Adresse',
    submit: 'Abonnieren',
    feeds: 'Feeds',
    chooseServices: 'Dienste auswählen',
    someServices: 'Nur diese Dienste (ohne Auswahl: alle)',
    invalidEmail: 'Geben Sie eine E-Mail-Adresse wie sie@example.com ein.',
    checkMailTitle: 'Sehen Sie in Ihr Postfach',
    checkMail:
      'Wenn die Adresse stimmt, ist eine E-Mail mit einem Link unterwegs. Öffnen Sie den Link, um das Abonnement zu bestätigen.',
    confirmTitle: 'Abonnement bestätigen',
    confirmText: (page) => `Meldungen von ${page} werden an Ihre Adresse gesendet.`,
    confirm: 'Bestätigen',
    confirmedTitle: 'Abonnement bestätigt',
    confirmed: (page) =>
      `Sie erhalten eine Nachricht, wenn eine Störung von ${page} beginnt, sich ändert oder endet.`,
    unsubscribeTitle: 'Abbestellen?',
    unsubscribeText: (page) => `Sie erhalten dann keine Nachrichten mehr zu ${page}.`,
    unsubscribe: 'Abbestellen',
    unsubscribedTitle: 'Abbestellt',
    unsubscribed: (page) => `Sie erhalten keine Nachrichten mehr zu ${page}.`,
    invalidLinkTitle: 'Dieser Link ist nicht mehr gültig',
    invalidLink:
      'Er wurde schon benutzt oder ist abgelaufen. Mit einem neuen Abonnement erhalten Sie einen neuen.',
    tooManyTitle: 'Zu viele Anfragen',
    tooMany: 'Versuchen Sie es in einer Stunde noch einmal.',
    manageTitle: 'Ihr Abonnement',
    manageText: (page) =>
      `Wählen Sie, zu welchen Diensten von ${page} Sie Nachrichten erhalten, oder beenden Sie das Abonnement.`,
    save: 'Speichern',
    savedTitle: 'Gespeichert',
    saved: 'Die nächsten Nachrichten richten sich nach Ihrer Auswahl.',
    notOfferedTitle: 'Hier nicht verfügbar',
    notOffered: 'Wählen Sie einen anderen Weg, um Meldungen dieser Seite zu erhalten.',
    ways: { email: 'E-Mail', webhook: 'Webhook', sms: 'SMS' },
    hook: 'Adresse des Webhooks',
    number: 'Telefonnummer',
    hints: {
      slack:
        'Fügen Sie in Slack einem Kanal die App „Incoming WebHooks“ hinzu und kopieren Sie die angezeigte Adresse.',
      microsoft_teams:
        'Öffnen Sie in Teams „Workflows“ eines Kanals, wählen Sie die Vorlage für Webhook-Benachrichtigungen an einen Kanal und kopieren Sie die angezeigte Adresse.',
      webhook:
        'Für Programme: Jede Meldung ist eine signierte POST-Anfrage mit JSON. Die erste enthält eine „challenge“, welche die Antwort wiederholen muss.',
      sms: 'Mit Ländervorwahl. Höchstens zehn Nachrichten pro Stunde.',
    },
    invalid: (example) => `Geben Sie sie in der Form ${example} ein.`,
    stepTitle: 'Noch ein Schritt',
    step: {
      channel:
        'Eine Nachricht ist zum Kanal unterwegs. Bestätigen Sie über ihre Schaltfläche: Vorher wird nichts weiter gesendet.',
      webhook:
        'Eine Anfrage ist zum Webhook unterwegs. Er ist angemeldet, sobald er mit der „challenge“ antwortet oder jemand den Link darin öffnet.',
      sms: 'Eine SMS mit einem Link ist unterwegs. Öffnen Sie den Link, um das Abonnement zu bestätigen.',
    },
    secret: 'Signaturschlüssel',
    also: 'Auch per',
    sent: (count) =>
      `${count} ${plural(count, 'Nachricht', 'Nachrichten')} in den letzten 90 Tagen.`,
    smsPaused: 'Es gibt viele Meldungen: Die der nächsten Stunde stehen nur auf der Statusseite.',
  },
  mail: {
    confirmUntil: (time) => `Der Link ist bis ${time} gültig.`,
    heldBack: 'Es gibt viele Meldungen: Die der nächsten Stunde kommen in einer einzigen E-Mail.',
    digestSubject: 'Neueste Meldungen',
    digestText: 'In der letzten Stunde gab es viele Meldungen. Das ist der aktuelle Stand:',
    change: 'Abonnement ändern oder beenden',
    confirmSubject: (page) => `Abonnement von ${page} bestätigen`,
    confirmText: (page) =>
      `Jemand, vermutlich Sie, hat für diese Adresse Meldungen von ${page} abonniert. Bestätigen Sie das mit diesem Link:`,
    confirmIgnore:
      'Falls Sie das nicht waren, ignorieren Sie diese E-Mail. Sie erhalten keine weitere.',
    seePage: 'Zur Statusseite',
    because: (page) => `Sie erhalten diese E-Mail, weil Sie ${page} abonniert haben.`,
    unsubscribe: 'Abbestellen',
  },
  signIn: {
    title: 'Diese Seite ist geschützt',
    explanation: (page) => `Geben Sie das Passwort ein, um den Status von ${page} zu sehen.`,
    password: 'Passwort',
    submit: 'Seite anzeigen',
    wrong: 'Dieses Passwort ist falsch.',
    tooMany: 'Zu viele Versuche. Warten Sie einige Minuten und versuchen Sie es dann noch einmal.',
    membersTitle: 'Nur für Mitglieder',
    membersText: 'Mitglieder des Teams sehen diese Seite, nachdem sie sich angemeldet haben.',
    membersLink: 'Anmelden',
    addressTitle: 'Aus Ihrem Netz nicht erreichbar',
    addressText: 'Diese Seite ist nur aus bestimmten Netzen zu sehen.',
  },
  notFound: {
    title: 'Seite nicht gefunden',
    text: 'Unter dieser Adresse gibt es nichts. Vielleicht wurde es entfernt.',
    noPage:
      'Unter dieser Adresse gibt es keine Statusseite. Prüfen Sie die Adresse auf Tippfehler, oder fragen Sie dort nach, woher Sie sie haben.',
    badge: 'nicht gefunden',
  },
  links: { contact: 'Kontakt', terms: 'Bedingungen' },
  footer: { zone: (name) => `Zeiten in ${name}.`, monitoredBy: 'Überwacht von Tocsin' },
};

/** After `seit` and `vor` days are in the dative: `seit 3 Tagen`. */
function dative(duration: string): string {
  return duration.replace('Tage', 'Tagen');
}
