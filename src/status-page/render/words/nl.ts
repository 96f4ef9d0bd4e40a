import type { Words } from './en.ts';
import { clausesOf, countOf, formatsOf, named, pluralOf, statusOf } from './formats.ts';

const formats = formatsOf('nl', {
  minute: ' min.',
  hour: ' uur',
  day: { one: '# dag', other: '# dagen' },
  lessThanAMinute: 'minder dan een minuut',
  gap: ' ',
});
const plural = pluralOf('nl');
const subject = named(formats, (count) => plural(count, '1 dienst', `${count} diensten`));
const has = (who: readonly string[] | number) =>
  `${subject(who)} ${plural(countOf(who), 'heeft', 'hebben')}`;
const is = (who: readonly string[] | number) =>
  `${subject(who)} ${plural(countOf(who), 'is', 'zijn')}`;
const problems = clausesOf(
  (down) => `${is(down)} onbereikbaar`,
  (degraded) => `${has(degraded)} problemen`,
);

export const NL: Words = {
  ...formats,
  language: 'nl',
  state: {
    allUp: 'Alle diensten werken.',
    allCheckedUp: 'Alle diensten die we controleren werken.',
    problems,
    maintenance: (who) => `${is(who)} in onderhoud.`,
    notObserved: (who) =>
      `${subject(who)} ${plural(countOf(who), 'wordt', 'worden')} op dit moment niet waargenomen.`,
    cannotTell: (duration) => `De toestand is onbekend: er is al ${duration} niets waargenomen.`,
    waiting: 'Wachten op de eerste controles.',
    paused: 'De controles zijn onderbroken.',
    noServices: 'Er zijn geen storingen gemeld.',
  },
  remark: {
    restWorks: 'Al het andere werkt.',
    lastKnownUp: 'Laatst bekend: alle diensten werkten.',
    lastKnown: (known) => `Laatst bekend: ${problems(known)}`,
    checksFindUp: 'Volgens onze controles werken alle diensten.',
    plannedUntil: (time) => `Gepland tot ${time}.`,
    checked: (when) => `Laatst gecontroleerd: ${when}`,
    asOf: (time) => `Stand van ${time}`,
    asOfAge: (time, age) => `Stand van ${time}, ${age} geleden`,
  },
  service: {
    up: 'Werkt',
    down: 'Onbereikbaar',
    degraded: 'Problemen',
    maintenance: 'Onderhoud',
    notObserved: 'Niet waargenomen',
    pending: 'Wacht op de eerste controle',
    paused: 'Onderbroken',
    downFor: (duration) => `Al ${duration} onbereikbaar`,
    degradedFor: (duration) => `Al ${duration} problemen`,
    maintenanceUntil: (time) => `Onderhoud tot ${time}`,
    notObservedSince: (time, lastKnown) =>
      `Niet waargenomen sinds ${time}, laatst bekend: ${lastKnown.toLowerCase()}`,
    responseTime: (time) => `Antwoordt in ${time}`,
    responseTimes: (least, most) => `Responstijden in 24 uur: ${least} tot ${most}`,
  },
  group: {
    allUp: 'Alles werkt',
    down: (count) => `${count} onbereikbaar`,
    degraded: (count) => `${count} met problemen`,
    maintenance: (count) => `${count} in onderhoud`,
    notObserved: (count) => `${count} niet waargenomen`,
  },
  days: {
    services: 'Diensten',
    lastDays: (count) => `laatste ${count} dagen`,
    classes: {
      up: 'Werkt',
      degraded: 'Problemen',
      down: 'Uitval',
      maintenance: 'Onderhoud',
      unobserved: 'Niet waargenomen',
    },
    unobservedLegend: 'Niet waargenomen: toestand onbekend',
    uptime: (percent) => `${percent} beschikbaar`,
    observed: (percent) => `${percent} waargenomen`,
    noFigure: 'Nog geen waarde',
    find: 'Dienst zoeken',
    noMatch: 'Geen dienst heet zo.',
    table: 'Als tabel',
    otherDays: 'Alle andere dagen',
    allDays: 'Alle dagen',
    span: (from, to) => `${from} t/m ${to}`,
    total: (duration) => `in totaal ${duration}`,
    imported: (day, source) =>
      `Tot en met ${day}: geïmporteerd uit ${source}, telt niet mee in de waarden`,
    uncorrectedLink: 'Waarden zonder correcties',
  },
  uncorrected: {
    title: 'Beschikbaarheid met en zonder correcties',
    explanation:
      'Sommige gemeten tijden zijn achteraf anders ingedeeld, bijvoorbeeld omdat ze bij gepland werk horen. Beide waarden van de laatste 90 dagen:',
    service: 'Dienst',
    corrected: 'Gecorrigeerd',
    asMeasured: 'Zoals gemeten',
  },
  incidents: {
    past: 'Eerdere storingen',
    none: 'Geen storingen.',
    history: 'Storingsgeschiedenis',
    maintenance: 'Gepland onderhoud',
    states: {
      investigating: 'In onderzoek',
      identified: 'Oorzaak gevonden',
      monitoring: 'Onder toezicht',
      resolved: 'Opgelost',
      scheduled: 'Gepland',
      in_progress: 'Bezig',
      completed: 'Voltooid',
    },
    impact: 'Gevolgen',
    impacts: { none: 'Geen', minor: 'Klein', major: 'Groot', critical: 'Kritiek' },
    lasting: (duration) => `al ${duration}`,
    lasted: (duration) => `duurde ${duration}`,
    link: 'Link naar deze storing',
    more: 'Lees verder',
    planned: (title) => `Gepland: ${title}`,
    began: 'Begin',
    ended: 'Einde',
    plannedEnd: 'Gepland einde',
    duration: 'Duur',
    affected: 'Getroffen diensten',
    updates: 'Berichten',
    edited: 'bewerkt',
    postMortem: 'Nabeschouwing',
    back: statusOf((pageName) => `Status van ${pageName}`),
    historyOf: (month) => `Storingen in ${month}`,
    noneInMonth: 'Geen storingen in deze maand.',
    earlier: 'Eerder',
    later: 'Later',
  },
  automatic: {
    title: ({ kind, impact, names, isEnded }) => {
      if (kind === 'maintenance')
        return names.length === 0 ? 'Onderhoud' : `Onderhoud van ${formats.list(names)}`;
      if (names.length === 0) return 'Storing';
      const who = formats.list(names);
      const count = names.length;
      if (impact === 'none') return `Storing: ${who}`;
      if (impact === 'minor')
        return isEnded
          ? `${who} ${plural(count, 'had', 'hadden')} problemen`
          : `${has(names)} problemen`;
      return isEnded
        ? `${who} ${plural(count, 'was', 'waren')} onbereikbaar`
        : `${is(names)} onbereikbaar`;
    },
    text: (state, { names, impact }) => {
      const who = names.length === 0 ? ['een dienst'] : names;
      return {
        investigating:
          impact === 'minor' || impact === 'none'
            ? `Onze controles wijzen uit: ${has(who)} problemen.`
            : `Onze controles wijzen uit: ${is(who)} onbereikbaar.`,
        identified: 'De oorzaak is gevonden.',
        monitoring: 'Er is een oplossing doorgevoerd. We houden het resultaat in de gaten.',
        resolved: `Onze controles wijzen uit: ${formats.list(who)} ${plural(who.length, 'werkt', 'werken')} weer.`,
        scheduled: 'Dit onderhoud is gepland.',
        in_progress: 'Het onderhoud is begonnen.',
        completed: 'Het onderhoud is voltooid.',
      }[state];
    },
  },
  subscribe: {
    title: 'Updates ontvangen',
    explanation:
      'Eén bericht wanneer een storing of onderhoud begint, verandert of eindigt. Afmelden kan met één klik.',
    email: 'E-mailadres',
    submit: 'Aanmelden',
    feeds: 'Feeds',
    chooseServices: 'Diensten kiezen',
    someServices: 'Alleen deze diensten (geen keuze: alle)',
    invalidEmail: 'Voer een e-mailadres in zoals u@example.com.',
    checkMailTitle: 'Kijk in uw mailbox',
    checkMail:
      'Als het adres klopt, is er een e-mail met een link onderweg. Open de link om uw aanmelding te bevestigen.',
    confirmTitle: 'Aanmelding bevestigen',
    confirmText: (page) => `Berichten van ${page} worden naar uw adres gestuurd.`,
    confirm: 'Bevestigen',
    confirmedTitle: 'Aanmelding bevestigd',
    confirmed: (page) =>
      `U krijgt een bericht wanneer een storing van ${page} begint, verandert of eindigt.`,
    unsubscribeTitle: 'Afmelden?',
    unsubscribeText: (page) => `U krijgt dan geen berichten meer over ${page}.`,
    unsubscribe: 'Afmelden',
    unsubscribedTitle: 'U bent afgemeld',
    unsubscribed: (page) => `U krijgt geen berichten meer over ${page}.`,
    invalidLinkTitle: 'Deze link is niet meer geldig',
    invalidLink: 'Hij is al gebruikt of verlopen. Meld u opnieuw aan voor een nieuwe link.',
    tooManyTitle: 'Te veel verzoeken',
    tooMany: 'Probeer het over een uur opnieuw.',
    manageTitle: 'Uw aanmelding',
    manageText: (page) => `Kies over welke diensten van ${page} u berichten krijgt, of meld u af.`,
    save: 'Opslaan',
    savedTitle: 'Opgeslagen',
    saved: 'De volgende berichten volgen uw keuze.',
    notOfferedTitle: 'Hier niet beschikbaar',
    notOffered: 'Kies een andere manier om updates van deze pagina te ontvangen.',
    ways: { email: 'E-mail', webhook: 'Webhook', sms: 'Sms' },
    hook: 'Adres van de webhook',
    number: 'Telefoonnummer',
    hints: {
      slack:
        'Voeg in Slack de app “Incoming WebHooks” toe aan een kanaal en kopieer het adres dat verschijnt.',
      microsoft_teams:
        'Open in Teams “Workflows” van een kanaal, kies de sjabloon die webhookmeldingen naar een kanaal stuurt en kopieer het adres dat verschijnt.',
      webhook:
        'Voor programma’s: elke melding is een ondertekend POST-verzoek met JSON. Het eerste bevat een “challenge” die het antwoord moet herhalen.',
      sms: 'Met landnummer. Hooguit tien berichten per uur.',
    },
    invalid: (example) => `Gebruik de vorm ${example}.`,
    stepTitle: 'Nog één stap',
    step: {
      channel:
        'Er is een bericht onderweg naar het kanaal. Bevestig met de knop daarin: eerder wordt er niets anders verstuurd.',
      webhook:
        'Er is een verzoek onderweg naar de webhook. Die is aangemeld zodra hij met de “challenge” antwoordt of iemand de link erin opent.',
      sms: 'Er is een sms met een link onderweg. Open de link om uw aanmelding te bevestigen.',
    },
    secret: 'Ondertekeningssleutel',
    also: 'Ook via',
    sent: (count) =>
      plural(
        count,
        '1 bericht in de afgelopen 90 dagen.',
        `${count} berichten in de afgelopen 90 dagen.`,
      ),
    smsPaused: 'Er zijn veel updates: die van het komende uur staan alleen op de pagina.',
  },
  mail: {
    confirmUntil: (time) => `De link werkt tot ${time}.`,
    heldBack: 'Er zijn veel berichten: die van het komende uur komen in één e-mail.',
    digestSubject: 'Laatste berichten',
    digestText: 'In het afgelopen uur waren er veel berichten. Dit is de stand van zaken:',
    change: 'Aanmelding wijzigen of beëindigen',
    confirmSubject: (page) => `Bevestig uw aanmelding bij ${page}`,
    confirmText: (page) =>
      `Iemand, waarschijnlijk u, heeft op dit adres om berichten van ${page} gevraagd. Bevestig dat met deze link:`,
    confirmIgnore: 'Was u dat niet, negeer deze e-mail dan: u krijgt er geen andere.',
    seePage: 'Naar de statuspagina',
    because: (page) => `U krijgt deze e-mail omdat u zich hebt aangemeld bij ${page}.`,
    unsubscribe: 'Afmelden',
  },
  signIn: {
    title: 'Deze pagina is beveiligd',
    explanation: (page) => `Voer het wachtwoord in om de status van ${page} te zien.`,
    password: 'Wachtwoord',
    submit: 'Pagina tonen',
    wrong: 'Dit wachtwoord is onjuist.',
    tooMany: 'Te veel pogingen. Wacht een paar minuten en probeer het opnieuw.',
    membersTitle: 'Alleen voor leden',
    membersText: 'Leden van het team zien deze pagina nadat ze zijn ingelogd.',
    membersLink: 'Inloggen',
    addressTitle: 'Niet bereikbaar vanuit uw netwerk',
    addressText: 'Deze pagina is alleen vanuit bepaalde netwerken te zien.',
  },
  notFound: {
    title: 'Pagina niet gevonden',
    text: 'Op dit adres is niets te vinden. Misschien is het verwijderd.',
    noPage:
      'Op dit adres is geen statuspagina. Controleer het adres op typefouten of vraag het na bij degene van wie u het hebt.',
    badge: 'niet gevonden',
  },
  links: { contact: 'Contact', terms: 'Voorwaarden' },
  footer: { zone: (name) => `Tijden in ${name}.`, monitoredBy: 'Bewaakt door Tocsin' },
};
