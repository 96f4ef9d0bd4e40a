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
  },

  statusPages: {
    title: 'Statusseiten',
  },

  reports: {
    title: 'Berichte',
  },

  channels: {
    title: 'Kanäle',
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
