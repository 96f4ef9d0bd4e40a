import type { Words } from './en.ts';
import { clausesOf, countOf, formatsOf, named, pluralOf, statusOf } from './formats.ts';

const formats = formatsOf('it', {
  minute: ' min',
  hour: ' h',
  day: { one: '# giorno', other: '# giorni' },
  lessThanAMinute: 'meno di un minuto',
  gap: ' ',
});
const plural = pluralOf('it');
const subject = named(formats, (count) => plural(count, '1 servizio', `${count} servizi`));
const works = (who: readonly string[] | number) => plural(countOf(who), 'funziona', 'funzionano');
const problems = clausesOf(
  (down) => `${subject(down)} non ${works(down)}`,
  (degraded) => `${subject(degraded)} ${works(degraded)} con problemi`,
);

/** Italian. Phrases agree with no name, since the gender of names is not known. */
export const IT: Words = {
  ...formats,
  language: 'it',
  state: {
    allUp: 'Tutti i servizi funzionano.',
    allCheckedUp: 'Tutti i servizi controllati funzionano.',
    problems,
    maintenance: (who) => `${subject(who)} ${plural(countOf(who), 'è', 'sono')} in manutenzione.`,
    notObserved: (who) => `Non ci sono osservazioni recenti di ${subject(who)}.`,
    cannotTell: (duration) => `Lo stato è sconosciuto: nessuna osservazione da ${duration}.`,
    waiting: 'In attesa dei primi controlli.',
    paused: 'I controlli sono in pausa.',
    noServices: 'Nessun incidente segnalato.',
  },
  remark: {
    restWorks: 'Tutto il resto funziona.',
    lastKnownUp: 'Ultimo stato noto: tutti i servizi funzionavano.',
    lastKnown: (known) => `Ultimo stato noto: ${problems(known)}`,
    checksFindUp: 'I nostri controlli non rilevano alcun guasto.',
    plannedUntil: (time) => `Previsto fino al ${time}.`,
    checked: (when) => `Ultimo controllo: ${when}`,
    asOf: (time) => `Situazione al ${time}`,
    asOfAge: (time, age) => `Situazione al ${time}, ${age} fa`,
  },
  service: {
    up: 'Funziona',
    down: 'Non funziona',
    degraded: 'Con problemi',
    maintenance: 'In manutenzione',
    notObserved: 'Senza osservazioni',
    pending: 'In attesa del primo controllo',
    paused: 'In pausa',
    downFor: (duration) => `Non funziona da ${duration}`,
    degradedFor: (duration) => `Con problemi da ${duration}`,
    maintenanceUntil: (time) => `In manutenzione fino a: ${time}`,
    notObservedSince: (time, lastKnown) =>
      `Senza osservazioni da: ${time}, ultimo stato noto: ${lastKnown.toLowerCase()}`,
    responseTime: (time) => `Risponde in ${time}`,
    responseTimes: (least, most) => `Tempi di risposta in 24 ore: da ${least} a ${most}`,
  },
  group: {
    allUp: 'Tutto funziona',
    down: (count) => plural(count, `${count} non funziona`, `${count} non funzionano`),
    degraded: (count) => `${count} con problemi`,
    maintenance: (count) => `${count} in manutenzione`,
    notObserved: (count) => `${count} senza osservazioni`,
  },
  days: {
    services: 'Servizi',
    lastDays: (count) => `ultimi ${count} giorni`,
    classes: {
      up: 'Funziona',
      degraded: 'Con problemi',
      down: 'Guasto',
      maintenance: 'Manutenzione',
      unobserved: 'Senza osservazioni',
    },
    unobservedLegend: 'Senza osservazioni: stato sconosciuto',
    uptime: (percent) => `Disponibile al ${percent}`,
    observed: (percent) => `osservato al ${percent}`,
    noFigure: 'Ancora nessun valore',
    find: 'Cerca un servizio',
    noMatch: 'Nessun servizio ha questo nome.',
    table: 'Come tabella',
    otherDays: 'Tutti gli altri giorni',
    allDays: 'Tutti i giorni',
    span: (from, to) => `${from} – ${to}`,
    total: (duration) => `${duration} in totale`,
    imported: (day, source) => `Fino al ${day}: importato da ${source}, non conta nei valori`,
    uncorrectedLink: 'Valori senza correzioni',
  },
  uncorrected: {
    title: 'Disponibilità con e senza correzioni',
    explanation:
      'Alcuni periodi misurati sono stati riclassificati in seguito, ad esempio perché rientrano in lavori previsti. Ecco entrambi i valori degli ultimi 90 giorni:',
    service: 'Servizio',
    corrected: 'Corretta',
    asMeasured: 'Come misurata',
  },
  incidents: {
    past: 'Incidenti passati',
    none: 'Nessun incidente.',
    history: 'Cronologia degli incidenti',
    maintenance: 'Manutenzione prevista',
    states: {
      investigating: 'In esame',
      identified: 'Causa individuata',
      monitoring: 'Sotto osservazione',
      resolved: 'Risolto',
      scheduled: 'Prevista',
      in_progress: 'In corso',
      completed: 'Conclusa',
    },
    impact: 'Impatto',
    impacts: { none: 'Nessuno', minor: 'Lieve', major: 'Grave', critical: 'Critico' },
    lasting: (duration) => `da ${duration}`,
    lasted: (duration) => `durata: ${duration}`,
    link: 'Link a questo incidente',
    more: 'Continua a leggere',
    planned: (title) => `Previsto: ${title}`,
    began: 'Inizio',
    ended: 'Fine',
    plannedEnd: 'Fine prevista',
    duration: 'Durata',
    affected: 'Servizi interessati',
    updates: 'Aggiornamenti',
    edited: 'modificato',
    postMortem: 'Analisi a posteriori',
    back: statusOf((pageName) => `Stato di ${pageName}`),
    historyOf: (month) => `Incidenti di ${month}`,
    noneInMonth: 'Nessun incidente in questo mese.',
    earlier: 'Precedenti',
    later: 'Successivi',
  },
  automatic: {
    title: ({ kind, impact, names, isEnded }) => {
      if (kind === 'maintenance')
        return names.length === 0 ? 'Manutenzione' : `Manutenzione di ${formats.list(names)}`;
      if (names.length === 0) return 'Incidente';
      const who = formats.list(names);
      if (impact === 'none') return `Incidente: ${who}`;
      const verb = isEnded ? plural(names.length, 'funzionava', 'funzionavano') : works(names);
      return impact === 'minor' ? `${who} ${verb} con problemi` : `${who} non ${verb}`;
    },
    text: (state, { names, impact }) => {
      const who = names.length === 0 ? 'un servizio' : formats.list(names);
      const verb = works(Math.max(1, names.length));
      const how = impact === 'minor' || impact === 'none' ? `${verb} con problemi` : `non ${verb}`;
      return {
        investigating: `Secondo i nostri controlli, ${who} ${how}.`,
        identified: 'La causa è stata individuata.',
        monitoring: 'Una correzione è attiva. Ne stiamo osservando l’effetto.',
        resolved: `Secondo i nostri controlli, ${who} ${verb} di nuovo.`,
        scheduled: 'Questa manutenzione è prevista.',
        in_progress: 'La manutenzione è iniziata.',
        completed: 'La manutenzione è conclusa.',
      }[state];
    },
  },
  subscribe: {
    title: 'Ricevi aggiornamenti',
    explanation:
      'Un messaggio quando un incidente o una manutenzione inizia, cambia o finisce. Basta un clic per annullare l’iscrizione.',
    email: 'Indirizzo e-mail',
    submit: 'Iscriviti',
    feeds: 'Feed',
    chooseServices: 'Scegli i servizi',
    someServices: 'Solo questi servizi (nessuna scelta: tutti)',
    invalidEmail: 'Inserisci un indirizzo e-mail come tu@example.com.',
    checkMailTitle: 'Controlla la posta',
    checkMail:
      'Se l’indirizzo è corretto, un messaggio con un link è in arrivo. Apri il link per confermare l’iscrizione.',
    confirmTitle: 'Conferma l’iscrizione',
    confirmText: (page) => `Gli aggiornamenti di ${page} saranno inviati al tuo indirizzo.`,
    confirm: 'Conferma',
    confirmedTitle: 'Iscrizione confermata',
    confirmed: (page) =>
      `Riceverai un messaggio quando un incidente di ${page} inizia, cambia o finisce.`,
    unsubscribeTitle: 'Annullare l’iscrizione?',
    unsubscribeText: (page) => `Non riceverai più messaggi su ${page}.`,
    unsubscribe: 'Annulla l’iscrizione',
    unsubscribedTitle: 'Iscrizione annullata',
    unsubscribed: (page) => `Non ricevi più messaggi su ${page}.`,
    invalidLinkTitle: 'Questo link non è più valido',
    invalidLink: 'È già stato usato oppure è scaduto. Iscriviti di nuovo per riceverne un altro.',
    tooManyTitle: 'Troppe richieste',
    tooMany: 'Riprova tra un’ora.',
    manageTitle: 'La tua iscrizione',
    manageText: (page) =>
      `Scegli per quali servizi di ${page} ricevere messaggi, oppure annulla l’iscrizione.`,
    save: 'Salva',
    savedTitle: 'Salvato',
    saved: 'I prossimi messaggi seguiranno la tua scelta.',
    notOfferedTitle: 'Non disponibile qui',
    notOffered: 'Scegli un altro modo per ricevere gli aggiornamenti di questa pagina.',
    ways: { email: 'E-mail', webhook: 'Webhook', sms: 'SMS' },
    hook: 'Indirizzo del webhook',
    number: 'Numero di telefono',
    hints: {
      slack:
        'In Slack, aggiungi a un canale l’app “Incoming WebHooks” e copia l’indirizzo mostrato.',
      microsoft_teams:
        'In Teams, apri “Workflows” di un canale, scegli il modello che invia avvisi di webhook a un canale e copia l’indirizzo mostrato.',
      webhook:
        'Per i programmi: ogni aggiornamento è una richiesta POST firmata con JSON. La prima contiene un “challenge” che la risposta deve ripetere.',
      sms: 'Con il prefisso del paese. Al massimo dieci messaggi all’ora.',
    },
    invalid: (example) => `Usa la forma ${example}.`,
    stepTitle: 'Ancora un passaggio',
    step: {
      channel:
        'Un messaggio è in arrivo nel canale. Conferma con il suo pulsante: prima non viene inviato altro.',
      webhook:
        'Una richiesta è in arrivo al webhook. È iscritto non appena risponde con il “challenge” o qualcuno apre il link ricevuto.',
      sms: 'Un SMS con un link è in arrivo. Apri il link per confermare l’iscrizione.',
    },
    secret: 'Segreto di firma',
    also: 'Anche con',
    sent: (count) =>
      plural(
        count,
        '1 messaggio negli ultimi 90 giorni.',
        `${count} messaggi negli ultimi 90 giorni.`,
      ),
    smsPaused: 'Ci sono molti aggiornamenti: quelli della prossima ora sono solo sulla pagina.',
  },
  mail: {
    confirmUntil: (time) => `Il link è valido fino al ${time}.`,
    heldBack:
      'Gli aggiornamenti sono molti: quelli della prossima ora arriveranno in un’unica e-mail.',
    digestSubject: 'Ultimi aggiornamenti',
    digestText: 'Nell’ultima ora ci sono stati molti aggiornamenti. Ecco la situazione:',
    change: 'Modifica o annulla l’iscrizione',
    confirmSubject: (page) => `Conferma l’iscrizione a ${page}`,
    confirmText: (page) =>
      `Qualcuno, probabilmente tu, ha chiesto gli aggiornamenti di ${page} a questo indirizzo. Conferma con questo link:`,
    confirmIgnore: 'Se non sei stato tu, ignora questo messaggio: non ne riceverai altri.',
    seePage: 'Vedi la pagina di stato',
    because: (page) => `Ricevi questa e-mail per l’iscrizione a ${page}.`,
    unsubscribe: 'Annulla l’iscrizione',
  },
  signIn: {
    title: 'Questa pagina è protetta',
    explanation: (page) => `Inserisci la password per vedere lo stato di ${page}.`,
    password: 'Password',
    submit: 'Mostra la pagina',
    wrong: 'Questa password è errata.',
    tooMany: 'Troppi tentativi. Attendi qualche minuto e riprova.',
    membersTitle: 'Solo per membri',
    membersText: 'I membri del team vedono questa pagina dopo l’accesso.',
    membersLink: 'Accedi',
    addressTitle: 'Non disponibile dalla tua rete',
    addressText: 'Questa pagina si può vedere solo da determinate reti.',
  },
  notFound: {
    title: 'Pagina non trovata',
    text: 'A questo indirizzo non c’è nulla. Forse è stato rimosso.',
    noPage:
      'A questo indirizzo non c’è alcuna pagina di stato. Controlla che sia scritto correttamente o chiedi a chi te lo ha dato.',
    badge: 'non trovato',
  },
  links: { contact: 'Contatti', terms: 'Condizioni' },
  footer: { zone: (name) => `Orari in ${name}.`, monitoredBy: 'Monitorato da Tocsin' },
};
