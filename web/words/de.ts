import type { Words } from './en.ts';

/** German words of the dashboard. */
export const de: Words = {
  /** Times and durations (lib/format.ts). */
  time: {
    locale: 'de-DE',
    units: { s: 's', min: 'Min.', h: 'Std.', d: 'T.' },
    now: 'gerade eben',
    today: 'heute',
    yesterday: 'gestern',
    ago: (duration: string) => `vor ${duration}`,
    ahead: (duration: string) => `in ${duration}`,
  },

  common: {
    save: 'Speichern',
    cancel: 'Abbrechen',
    delete: 'Löschen',
    edit: 'Bearbeiten',
    close: 'Schließen',
    retry: 'Noch einmal versuchen',
    undo: 'Rückgängig',
    copy: 'Kopieren',
    copied: 'Kopiert',
    more: 'Mehr',
    loading: 'Wird geladen …',
    optional: 'freiwillig',
    yes: 'Ja',
    no: 'Nein',
    none: 'keine',
    and: 'und',
    all: 'Alle',
    search: 'Suchen',
    back: 'Zurück',
    next: 'Weiter',
    previous: 'Zurück',
    page: (page: number, last: number) => `Seite ${page} von ${last}`,
    actionsFor: (name: string) => `Aktionen für ${name}`,
  },

  errors: {
    status: (status: number) =>
      `Der Server hat mit ${status} geantwortet. Versuche es gleich noch einmal.`,
    unreachable:
      'Der Server ist nicht erreichbar. Prüfe deine Verbindung und versuche es noch einmal.',
    broken:
      'Diese Seite konnte nicht angezeigt werden. Lade sie neu; wenn es wieder misslingt, melde, was du getan hast.',
    list: (count: number) =>
      count === 1 ? 'Ein Feld muss geändert werden' : `${count} Felder müssen geändert werden`,
    notFound: 'Unter dieser Adresse gibt es nichts',
    notFoundHint: 'Vielleicht wurde es gelöscht, oder die Adresse enthält einen Tippfehler.',
    deletedHint: 'Vielleicht wurde es gelöscht.',
    auditLog: 'Im Prüfprotokoll nachsehen',
    needsRole: (role: string) =>
      `Mit deiner Rolle kannst du das nicht ändern. Frage eine Person deines Teams mit der Rolle ${role}.`,
    reload: 'Seite neu laden',
  },

  status: {
    online: 'Verfügbar',
    offline: 'Ausgefallen',
    degraded: 'Beeinträchtigt',
    pending: 'Wartet auf das erste Ergebnis',
    paused: 'Pausiert',
    maintenance: 'In Wartung',
    unknown: 'Nicht beobachtet',
  },

  regions: {
    ash: 'Ashburn',
    pdx: 'Portland',
    nbg: 'Nürnberg',
    sin: 'Singapur',
  },

  types: {
    http: 'http',
    ping: 'ping',
    port: 'port',
    heartbeat: 'heartbeat',
    cron: 'cron',
  },

  roles: {
    viewer: 'Betrachten',
    editor: 'Bearbeiten',
    admin: 'Verwalten',
    owner: 'Inhaber',
  },

  nav: {
    main: 'Hauptmenü',
    skip: 'Zum Inhalt springen',
    monitors: 'Monitore',
    incidents: 'Vorfälle',
    statusPages: 'Statusseiten',
    reports: 'Berichte',
    maintenance: 'Wartung',
    groups: 'Gruppen',
    check: 'URL prüfen',
    alerting: 'Benachrichtigung',
    channels: 'Kanäle',
    routes: 'Regeln',
    webhooks: 'Webhooks',
    team: 'Team',
    members: 'Mitglieder',
    auditLog: 'Prüfprotokoll',
    plan: 'Tarif',
    settings: 'Einstellungen',
    installation: 'Installation',
    account: 'Konto',
    api: 'API-Referenz',
    more: 'Mehr',
    signOut: 'Abmelden',
    switchTeam: 'Team wechseln',
    newMonitor: 'Neuer Monitor',
    open: (count: number) => `${count} offen`,
    breadcrumb: 'Pfad',
  },

  dialog: {
    type: (name: string) => `Gib zur Bestätigung "${name}" ein`,
  },

  live: {
    live: 'Live',
    connecting: 'Verbindet …',
    lost: (time: string) => `Nicht live. Letzte Nachricht ${time}. Neuer Versuch …`,
  },

  palette: {
    title: 'Alles finden',
    hint: 'Monitor, Vorfall, Seite oder Aktion',
    results: 'Treffer',
    none: 'Nichts gefunden',
    kinds: {
      page: 'Seite',
      action: 'Aktion',
      monitor: 'Monitor',
      incident: 'Offener Vorfall',
      group: 'Gruppe',
    },
    newMaintenance: 'Wartung planen',
    light: 'Helle Darstellung',
    dark: 'Dunkle Darstellung',
    system: 'Darstellung wie im System',
    rows: 'Enge oder weite Zeilen',
    english: 'English',
    german: 'Deutsch',
    shortcuts: 'Tastenkürzel',
    keys: {
      palette: 'Alles finden',
      search: 'Auf dieser Seite suchen',
      create: 'Neuer Monitor',
      move: 'Nächste oder vorige Zeile',
      open: 'Zeile öffnen',
      edit: 'Bearbeiten',
      select: 'Zeile auswählen',
      go: 'Zu Monitoren, Vorfällen, Statusseiten',
      help: 'Diese Tastenkürzel zeigen',
      close: 'Schließen, was offen ist',
    },
  },

  monitors: {
    title: 'Monitore',
    down: (count: number, total: number) =>
      total === 1
        ? 'Dein Monitor ist ausgefallen'
        : `${count} von ${total} Monitoren ${count === 1 ? 'ist' : 'sind'} ausgefallen`,
    degraded: (count: number, total: number) =>
      `${count} von ${total} Monitoren ${count === 1 ? 'ist' : 'sind'} beeinträchtigt`,
    allUp: (count: number) =>
      count === 1 ? 'Dein Monitor ist verfügbar' : `Alle ${count} Monitore sind verfügbar`,
    nothingSeen: (total: number) =>
      total === 1 ? 'Ein Monitor, noch kein Ergebnis' : `${total} Monitore, noch kein Ergebnis`,
    degradedToo: (names: string) => `Beeinträchtigt: ${names}. Alles andere ist verfügbar.`,
    restIsUp: 'Alles andere ist verfügbar.',
    andMore: (count: number) => `${count} weitere`,
    asides: ({
      paused,
      maintenance,
      pending,
    }: Record<'paused' | 'maintenance' | 'pending', number>) =>
      [
        maintenance > 0 ? `${maintenance} in Wartung` : '',
        paused > 0 ? `${paused} pausiert` : '',
        pending > 0 ? `${pending} ohne erstes Ergebnis` : '',
      ]
        .filter(Boolean)
        .join(', '),
    countDown: (count: number) => `${count} ausgefallen`,
    countDegraded: (count: number) => `${count} beeinträchtigt`,
    countMaintenance: (count: number) => `${count} in Wartung`,
    countPaused: (count: number) => `${count} pausiert`,
    noGroup: 'Ohne Gruppe',
    openIncidents: 'Offene Vorfälle',
    moreIncidents: (count: number) => `${count} weitere offene Vorfälle`,
    incidentLine: (name: string, cause: string) => `${name}: ${cause}`,
    agree: (down: number, asked: number) => `${down} von ${asked} Regionen sehen es`,
    furtherIncidents: (count: number) =>
      count === 1 ? 'ein weiterer Vorfall' : `${count} weitere Vorfälle`,
    nobodyAcknowledged: 'noch von niemandem übernommen',
    hasIt: (name: string | null) => (name === null ? 'übernommen' : `${name} kümmert sich`),
    causeUnknown: 'Ursache unbekannt',
    acknowledge: 'Übernehmen',
    acknowledged: 'Übernommen',
    since: 'seit',
    searchHint: 'Name, URL oder Tag',
    status: 'Status',
    type: 'Typ',
    tag: 'Tag',
    order: 'Reihenfolge',
    sorts: {
      worst: 'Schlimmste zuerst',
      name: 'Nach Name',
      response: 'Langsamste zuerst',
      uptime: 'Geringste Verfügbarkeit zuerst',
    },
    columns: {
      monitor: 'Monitor',
      regions: 'Regionen',
      day: 'Letzte 24 Stunden',
      now: 'Jetzt',
      uptime: '90 Tage',
    },
    lastDay: 'Letzte 24 Stunden',
    regionUp: 'verfügbar',
    regionDown: 'ausgefallen',
    regionUnknown: 'unbekannt',
    observed: (share: string) => `${share} % gesehen`,
    pausedSince: (time: string) => `Pausiert, letzte Änderung ${time}`,
    maintenanceUntil: (time: string) => `Wartung bis ${time}`,
    firstResultSoon: 'Wartet auf das erste Ergebnis',
    contentChecked: (target: string) => `${target} · Inhalt wird geprüft`,
    waitsForPing: 'Wartet auf den ersten Ping: kopiere die URL',
    called: (ago: string) => `Gemeldet ${ago}`,
    ran: (ago: string, took: string) => `Lief ${ago}, Dauer ${took}`,
    every: (interval: string) => `alle ${interval}`,
    nextAt: (time: string, zone: string) => `nächster Lauf ${time} ${zone}`,
    select: (name: string) => `${name} auswählen`,
    checkNow: 'Jetzt prüfen',
    checked: (name: string) => `${name} wurde geprüft.`,
    pause: 'Pausieren',
    resume: 'Fortsetzen',
    paused: (name: string) => `${name} ist pausiert.`,
    resumed: (name: string) => `${name} wird wieder geprüft.`,
    deleteTitle: (name: string) => `${name} löschen?`,
    deleteText: 'Ergebnisse, Vorfälle und Verfügbarkeit gehen endgültig verloren.',
    deleted: (name: string) => `${name} wurde gelöscht.`,
    emptyTitle: 'Noch wird nichts überwacht',
    emptyText: 'Füge eine URL ein; das erste Ergebnis siehst du in wenigen Sekunden.',
    emptyAction: 'Etwas überwachen',
    noMatch: 'Kein Monitor passt dazu',
    clearFilters: 'Alle Monitore zeigen',
  },

  monitor: {
    title: 'Monitor',
  },

  push: {
    title: 'Push-Monitor',
  },

  monitorForm: {
    title: 'Neuer Monitor',
  },

  start: {
    title: 'Etwas überwachen',
  },

  incidents: {
    title: 'Vorfälle',
  },

  incident: {
    title: 'Vorfall',
  },

  check: {
    title: 'URL prüfen',
  },

  groups: {
    title: 'Gruppen',
  },

  maintenance: {
    title: 'Wartung',
    none: 'Gerade ist nichts in Wartung',
    active: (count: number) =>
      count === 1 ? 'Ein Wartungsfenster ist aktiv' : `${count} Wartungsfenster sind aktiv`,
    headText:
      'Prüfungen laufen weiter. Alarme und Webhooks warten bis zum Ende, und Ausfallzeit zählt nicht.',
    plan: 'Wartung planen',
    startNow: 'Jetzt beginnen',
    start: 'Wartung beginnen',
    started: (name: string) => `${name} hat begonnen.`,
    created: (name: string) => `${name} ist geplant.`,
    saved: (name: string) => `${name} ist gespeichert.`,
    ended: (name: string) => `${name} ist beendet. Alarme, die gewartet haben, werden gesendet.`,
    deleted: (name: string) => `${name} ist gelöscht.`,
    end: 'Jetzt beenden',
    endTitle: (name: string) => `${name} jetzt beenden?`,
    endText:
      'Alarme, die gewartet haben, werden gesendet, wo noch etwas ausgefallen ist. Spätere Termine finden weiter statt.',
    deleteTitle: (name: string) => `${name} löschen?`,
    deleteText:
      'Weitere Termine finden nicht statt. Vergangene zählen weiter nicht zur Verfügbarkeit.',
    deleteActive:
      'Sie ist gerade aktiv und endet sofort: Alarme, die gewartet haben, werden gesendet.',
    emptyTitle: 'Keine Wartung ist geplant',
    emptyText:
      'Beginne vor geplanten Arbeiten ein Fenster: Niemand wird geweckt, und der Ausfall zählt nicht gegen eure Verfügbarkeit.',
    sections: {
      active: 'Jetzt aktiv',
      upcoming: 'Demnächst',
      recurring: 'Wiederkehrend',
      past: 'Vorbei',
    },
    until: 'bis',
    next: 'nächstes Mal',
    endsEarly: (rounds: number) => `endet früher nach ${rounds} guten Runden`,
    covers: (count: number) => (count === 1 ? '1 Monitor' : `${count} Monitore`),
    coversNothing: 'gilt für keinen Monitor',
    newTitle: 'Wartung planen',
    name: 'Name',
    namePlaceholder: 'Datenbank-Update',
    nameHint: 'Dein Team und Besucher von Statusseiten sehen ihn.',
    presets: 'Schnellwahl',
    preset: { hour: 'Jetzt, 1 Std.', tonight: 'Heute Nacht', weekend: 'Wochenende' },
    when: 'Wann',
    starts: 'Beginn',
    ends: 'Ende',
    endsHint: 'Höchstens 31 Tage nach dem Beginn.',
    zone: 'Zeitzone',
    lasts: (duration: string) => `Dauert ${duration}.`,
    minutes: 'Wie lange',
    minutesChoices: {
      15: '15 Minuten',
      30: '30 Minuten',
      60: '1 Stunde',
      120: '2 Stunden',
      240: '4 Stunden',
      480: '8 Stunden',
      1440: '1 Tag',
    },
    early: 'Früher enden, sobald alles verfügbar ist',
    earlyHint: 'Nach so vielen guten Runden jedes Monitors in Folge.',
    earlyRounds: 'Gute Runden',
    repeat: 'Wiederholung',
    repeats: {
      none: 'Einmal',
      daily: 'Jeden Tag',
      weekly: 'Jede Woche',
      monthday: 'Jeden Monat, an diesem Tag',
      weekday: 'Jeden Monat, an diesem Wochentag',
      last: 'Jeden Monat, am letzten dieser Wochentage',
      custom: 'Nach eigener Regel',
    },
    every: (unit: string, count: number) =>
      count === 1
        ? { Tag: 'jeden Tag', Woche: 'jede Woche', Monat: 'jeden Monat' }[unit]!
        : `alle ${count} ${{ Tag: 'Tage', Woche: 'Wochen', Monat: 'Monate' }[unit]!}`,
    units: { daily: 'Tag', weekly: 'Woche', monthly: 'Monat' },
    intervalLabel: { daily: 'Alle … Tage', weekly: 'Alle … Wochen', monthly: 'Alle … Monate' },
    on: (days: string) => `am ${days}`,
    onDay: (day: number) => `am ${day}.`,
    nth: (position: number, day: string) =>
      `am ${position === -1 ? 'letzten' : ['ersten', 'zweiten', 'dritten', 'vierten', 'fünften'][position - 1]} ${day}`,
    days: 'An diesen Tagen',
    lastDay: 'Letzter Tag',
    rule: 'Wiederholungsregel',
    ruleHint:
      'Nach RFC 5545, etwa FREQ=YEARLY;BYMONTH=1;BYDAY=1SU. Der kürzeste Abstand ist ein Tag.',
    preview: 'Nächste Termine',
    previewNone: 'Kein weiterer Termin: Prüfe Tage und letzten Tag.',
    previewLater: 'Der nächste Termin steht hier, sobald gespeichert ist.',
    scope: 'Wofür sie gilt',
    scopeAll: 'Alle Monitore des Teams',
    scopeSome: 'Einige davon',
    monitors: 'Monitore',
    groups: 'Gruppen (mit ihren Untergruppen)',
    tags: 'Tags',
    scopeHint: 'Ein Monitor gehört dazu, wenn eines davon auf ihn zutrifft.',
    scopeNeeded: 'Wähle mindestens einen Monitor, eine Gruppe oder einen Tag, oder alle Monitore.',
    pickSearch: (what: string) => `${what} suchen`,
    pickNone: 'Nichts passt dazu.',
    pickEmpty: 'Es gibt noch keine.',
    pickMore: (count: number) => `${count} weitere: Tippe, um sie zu finden.`,
    pickRemove: (name: string) => `${name} entfernen`,
    allMonitors: 'alle Monitore',
    inGroup: (names: string) => `Gruppe ${names}`,
    tagged: (names: string) => `mit Tag ${names}`,
    unknown: (id: number) => `#${id} (gelöscht)`,
    save: 'Speichern',
    create: 'Planen',
    effect:
      'Solange sie aktiv ist, laufen Prüfungen weiter, Alarme und Webhooks warten bis zum Ende, und Ausfallzeit zählt nicht zur Verfügbarkeit.',
    isActive: (name: string) => `${name} ist aktiv`,
    isScheduled: (name: string) => `${name} ist geplant`,
    isOver: (name: string) => `${name} ist vorbei`,
  },

  statusPages: {
    title: 'Statusseiten',
  },

  reports: {
    title: 'Berichte',
  },

  channels: {
    title: 'Kanäle',
    new: 'Neuer Kanal',
    noneTitle: 'Noch wird niemand benachrichtigt',
    allWell: (count: number) =>
      count === 1 ? 'Der Kanal des Teams ist bereit' : `Alle ${count} Kanäle des Teams sind bereit`,
    someFail: (failing: number, all: number) =>
      failing === all
        ? 'Kein Kanal des Teams kommt durch'
        : `${failing} von ${all} Kanälen des Teams ${failing === 1 ? 'braucht' : 'brauchen'} Aufmerksamkeit`,
    ownWell: 'Deine eigenen Kanäle funktionieren',
    ownFail: 'Einer deiner eigenen Kanäle braucht Aufmerksamkeit',
    headText: 'Wohin Alarme gehen, wenn etwas ausfällt.',
    ofTeam: 'Kanäle des Teams',
    ofTeamText: 'Chats, Pager und Postfächer, an die Regeln Alarme senden.',
    ofTeamHidden: 'Die Kanäle des Teams verwalten Personen mit der Rolle Verwalten.',
    emptyTitle: 'Das Team hat noch keinen Kanal',
    emptyText:
      'Füge den Ort hinzu, auf den ihr zuerst schaut: einen Chat, einen Pager, ein Postfach. Alarme kommen dort sofort an.',
    own: 'Deine eigenen',
    ownText: 'Benachrichtigen nur dich. Niemand sonst sieht oder ändert sie.',
    ownEmpty: 'Du selbst bekommst keine Alarme. Wähle unten einen Weg.',
    add: 'Hinzufügen',
    addOwn: 'Einen Weg zu dir hinzufügen',
    chooseTitle: 'Wohin sollen Alarme gehen?',
    chooseOwnTitle: 'Wie erreichen wir dich?',
    chooseText: 'Wähle den Dienst. Du kannst einen Test senden, bevor etwas ausfällt.',
    forTeam: 'Für das Team',
    forMe: 'Für mich',
    unknownType: 'Diese Art von Kanal gibt es nicht',
    create: 'Kanal anlegen',
    created: (name: string) =>
      `${name} ist eingerichtet. Sende einen Test, um zu sehen, ob er ankommt.`,
    saved: (name: string) => `${name} ist gespeichert.`,
    deleted: (name: string) => `${name} ist gelöscht.`,
    turnedOn: (name: string) => `${name} ist eingeschaltet.`,
    turnedOff: (name: string) => `${name} ist ausgeschaltet und bekommt keine Alarme.`,
    turnOn: 'Einschalten',
    turnOff: 'Ausschalten',
    works: (name: string) => `${name} kommt durch`,
    untried: (name: string) => `${name} hat noch nichts gesendet`,
    fails: (name: string) => `${name} kommt nicht durch`,
    isOff: (name: string) => `${name} ist ausgeschaltet`,
    warned: (name: string) => `${name} kann nicht senden`,
    notSetUp: (name: string) => `${name} ist noch nicht eingerichtet`,
    stateOff: 'Aus',
    stateUntried: 'Noch nichts gesendet',
    stateLast: 'Letzte Nachricht',
    stateFailing: 'Fehler seit',
    unconfirmed:
      'Deine Adresse ist nicht bestätigt. Bestätige sie zuerst auf der Seite deines Kontos.',
    noMail: 'Diese Installation sendet keine E-Mails. Ihr Betreiber muss SMTP_URL setzen.',
    deleteTitle: (name: string) => `${name} löschen?`,
    deleteText:
      'Das Protokoll seiner Nachrichten wird mit gelöscht. Wartende Nachrichten werden nicht gesendet.',
    deleteRoutes: (names: string) => `Diese Regeln gelten ohne ihn weiter: ${names}.`,
    deleteOwnText: 'Alarme erreichen dich so nicht mehr. Du kannst ihn wieder einrichten.',
    test: 'Test senden',
    testing: 'Wird gesendet …',
    testText: 'Sendet jetzt eine Nachricht, auch wenn der Kanal ausgeschaltet ist.',
    testDone: 'Der Test kam durch',
    testFailed: 'Der Test ist gescheitert',
    connection: 'Verbindung',
    name: 'Name',
    nameHint: (title: string) => `Steht in Listen und Regeln. Ohne Angabe „${title}“.`,
    rules: 'Was er bekommt',
    enabled: 'Alarme an diesen Kanal senden',
    isDefault: 'Standardkanal',
    isDefaultHint: 'Bekommt Alarme, für die keine Regel gilt.',
    severity: 'Schweregrade',
    severities: { critical: 'Kritisch', warning: 'Warnung', info: 'Hinweis' },
    severityHints: {
      critical: 'Überall ausgefallen, ungültiges Zertifikat, ausgebliebener Job.',
      warning: 'Langsam, aus manchen Regionen nicht erreichbar, läuft bald ab.',
      info: 'Zur Kenntnis, etwa geänderte DNS-Einträge.',
    },
    quiet: 'Ruhezeiten',
    quietHint: 'Alarme warten bis zu ihrem Ende. Was bis dahin behoben ist, wird nicht gesendet.',
    quietFrom: 'Von',
    quietTo: 'Bis',
    quietNextDay: 'am nächsten Tag',
    quietDays: 'Tage, an denen sie beginnen (keiner für jeden Tag)',
    quietZone: 'Zeitzone dieser Uhrzeiten',
    quietCritical: 'Kritische Alarme kommen trotzdem durch',
    weekdays: {
      mon: 'Mo',
      tue: 'Di',
      wed: 'Mi',
      thu: 'Do',
      fri: 'Fr',
      sat: 'Sa',
      sun: 'So',
    },
    zone: 'Zeitzone in Nachrichten',
    zoneUnset: 'UTC',
    zoneOwn: 'Die deines Kontos',
    facts: {
      isDefault: 'Standard',
      quiet: (from: string, to: string) => `Ruhe ${from}–${to}`,
      all: 'alle Schweregrade',
      only: (list: string) => `nur ${list}`,
    },
    usedBy: 'Verwendet von',
    usedByDefault: 'Alarme, für die keine Regel gilt',
    usedByNobody: 'Keine Regel nennt ihn, und er ist kein Standard: Er bekommt keine Alarme.',
    deliveries: 'Letzte Nachrichten',
    deliveriesEmpty: 'Hierher wurde noch nichts gesendet. Tests stehen nicht in der Liste.',
    columns: { when: 'Wann', what: 'Nachricht', result: 'Ergebnis', attempts: 'Versuche' },
    kinds: {
      alarm: 'Alarm',
      update: 'Neuer Stand',
      reminder: 'Erinnerung',
      escalation: 'Eskalation',
      recovery: 'Erholung',
      blind_spot: 'Verpasste Alarme',
      notice: 'Mitteilung',
      test: 'Test',
    },
    statuses: {
      pending: 'Wartet',
      delivered: 'Zugestellt',
      failed: 'Gescheitert',
      expired: 'Abgelaufen',
      superseded: 'Durch eine spätere ersetzt',
    },
    nextAttempt: 'nächster Versuch',
    httpStatus: (code: number) => `HTTP ${code}`,
    push: {
      off: 'In diesem Browser ausgeschaltet',
      here: 'In diesem Browser eingeschaltet',
      elsewhere:
        'In einem anderen Browser eingeschaltet. Nur einer wird benachrichtigt: Schaltest du es hier ein, geht es dort aus.',
      turnOn: 'In diesem Browser einschalten',
      unsupported:
        'Dieser Browser kennt keine Push-Nachrichten, oder die Seite kommt nicht über HTTPS. Öffne sie über HTTPS in einem aktuellen Browser.',
      blocked:
        'Dieser Browser blockiert Benachrichtigungen dieser Seite. Erlaube sie in seinen Einstellungen und versuche es noch einmal.',
      noKeys: 'Dieser Browser kennt keine verschlüsselten Push-Nachrichten.',
      failed: (reason: string) =>
        `Dieser Browser konnte sich bei seinem Push-Dienst nicht anmelden: ${reason}`,
      done: 'Alarme erscheinen jetzt in diesem Browser, auch wenn keine Seite offen ist.',
    },
    types: {
      email: { title: 'E-Mail', text: 'An eine oder mehrere Adressen.' },
      slack: { title: 'Slack', text: 'Eine Nachricht in einem Slack-Kanal.' },
      discord: { title: 'Discord', text: 'Eine Nachricht in einem Discord-Kanal oder Thread.' },
      microsoft_teams: {
        title: 'Microsoft Teams',
        text: 'Eine Karte in einem Teams-Kanal oder Chat.',
      },
      telegram: {
        title: 'Telegram',
        text: 'Ein Bot schreibt einer Person, Gruppe oder in einen Kanal.',
      },
      pagerduty: {
        title: 'PagerDuty',
        text: 'Öffnet einen Vorfall und schließt ihn bei Erholung.',
      },
      opsgenie: { title: 'Opsgenie', text: 'Öffnet einen Alarm, auch in Jira Service Management.' },
      ntfy: { title: 'ntfy', text: 'Push auf Telefone, über ntfy.sh oder deinen Server.' },
      pushover: {
        title: 'Pushover',
        text: 'Push auf Telefone, mit Alarmen, die sich wiederholen.',
      },
      gotify: { title: 'Gotify', text: 'Push über deinen eigenen Gotify-Server.' },
      mattermost: { title: 'Mattermost', text: 'Eine Nachricht in einem Mattermost-Kanal.' },
      google_chat: {
        title: 'Google Chat',
        text: 'Eine Karte in einem Google-Chat-Gruppenbereich.',
      },
      sms: { title: 'SMS', text: 'Eine Kurznachricht über Twilio oder einen kompatiblen Dienst.' },
      web_push: {
        title: 'Dieser Browser',
        text: 'Benachrichtigungen, auch wenn keine Seite offen ist.',
      },
    },
    ownMailText: 'An die Adresse deines Kontos.',
    settings: {
      addresses: ['Adressen', 'Eine pro Zeile. Jede bekommt eine eigene Mail.'],
      webhook_url: ['Webhook-Adresse', 'Wird verschlüsselt gespeichert und nie wieder gezeigt.'],
      bot_token: ['Bot-Token', 'Das Token, das dir @BotFather gegeben hat.'],
      chat_id: [
        'Chat',
        'Nummer des Chats oder @Name einer öffentlichen Gruppe. Eine Person muss den Bot zuerst starten.',
      ],
      thread_id: ['Thema', 'Nummer eines Themas, in einer Gruppe mit Themen.'],
      to: ['Telefonnummer', 'Mit Ländervorwahl, etwa +4915112345678.'],
      from: [
        'Absender',
        'Eine Nummer des Kontos, eine Kurzwahl, ein Absendername oder die SID eines Messaging-Dienstes (MG…).',
      ],
      account_sid: ['Konto-SID', 'Beginnt mit AC.'],
      auth_token: ['Auth-Token', 'Des Kontos, oder das Geheimnis des API-Schlüssels.'],
      api_key_sid: [
        'SID des API-Schlüssels',
        'Beginnt mit SK; nur, wenn das Token das Geheimnis eines API-Schlüssels ist.',
      ],
      api_url: ['API-Adresse', 'Eines mit Twilio kompatiblen Dienstes; ohne Angabe Twilio selbst.'],
      routing_key: [
        'Integrationsschlüssel',
        'Einer Integration „Events API v2“ eines Dienstes: 32 Buchstaben und Ziffern.',
      ],
      region: ['Region', 'Wo dein Konto liegt; ohne Angabe us.'],
      api_key: ['API-Schlüssel', 'Einer API-Integration.'],
      server_url: ['Server', 'Adresse des Servers. Bei ntfy ohne Angabe https://ntfy.sh.'],
      topic: ['Thema', 'Wer es kennt, kann mitlesen: Wähle eines, das niemand errät.'],
      token: ['Token', 'Einer Anwendung, oder für ein geschütztes Thema.'],
      user: ['Benutzerschlüssel', 'Schlüssel der Person oder Gruppe, die benachrichtigt wird.'],
      emergency_retry: [
        'Wiederholen alle (Sekunden)',
        'Kritische Alarme ertönen erneut, bis jemand sie bestätigt.',
      ],
      emergency_expire: ['Nicht mehr wiederholen nach (Sekunden)', 'Ohne Angabe 3600.'],
    },
    secretKept: 'Gespeichert. Lass die Punkte stehen, um es zu behalten, oder gib es neu ein.',
    notSet: 'nicht gesetzt',
  },

  alertRoutes: {
    title: 'Regeln',
  },

  webhooks: {
    title: 'Webhooks',
  },

  members: {
    title: 'Mitglieder',
  },

  auditLog: {
    title: 'Prüfprotokoll',
  },

  plan: {
    title: 'Tarif',
  },

  settings: {
    title: 'Einstellungen',
  },

  installation: {
    title: 'Installation',
  },

  account: {
    title: 'Konto',
  },

  entry: {
    signIn: 'Anmelden',
  },
};
