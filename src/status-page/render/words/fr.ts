import type { Words } from './en.ts';
import { clausesOf, countOf, formatsOf, named, pluralOf, statusOf } from './formats.ts';

const formats = formatsOf('fr', {
  minute: ' min',
  hour: ' h',
  day: { one: '# jour', other: '# jours' },
  lessThanAMinute: 'moins d’une minute',
  gap: ' ',
});
const plural = pluralOf('fr');
const subject = named(formats, (count) => plural(count, '1 service', `${count} services`));
const are = (who: readonly string[] | number) =>
  `${subject(who)} ${plural(countOf(who), 'est', 'sont')}`;
const problems = clausesOf(
  (down) => `${are(down)} en panne`,
  (degraded) =>
    `${subject(degraded)} ${plural(countOf(degraded), 'fonctionne', 'fonctionnent')} mal`,
);

/** French. Phrases agree with no name, since the gender of names is not known. */
export const FR: Words = {
  ...formats,
  language: 'fr',
  state: {
    allUp: 'Tous les services fonctionnent.',
    allCheckedUp: 'Tous les services contrôlés fonctionnent.',
    problems,
    maintenance: (who) => `${are(who)} en maintenance.`,
    notObserved: (who) =>
      `${subject(who)} ${plural(countOf(who), 'n’est pas observable', 'ne sont pas observables')} actuellement.`,
    cannotTell: (duration) => `L’état est inconnu : aucune observation depuis ${duration}.`,
    waiting: 'Les premiers contrôles sont attendus.',
    paused: 'Les contrôles sont suspendus.',
    noServices: 'Aucun incident n’est signalé.',
  },
  remark: {
    restWorks: 'Tout le reste fonctionne.',
    lastKnownUp: 'Dernier état connu : tous les services fonctionnaient.',
    lastKnown: (known) => `Dernier état connu : ${problems(known)}`,
    checksFindUp: 'Nos contrôles ne constatent aucune panne.',
    plannedUntil: (time) => `Prévu jusqu’au ${time}.`,
    checked: (when) => `Dernier contrôle : ${when}`,
    asOf: (time) => `État au ${time}`,
    asOfAge: (time, age) => `État au ${time}, il y a ${age}`,
  },
  service: {
    up: 'En service',
    down: 'En panne',
    degraded: 'Fonctionne mal',
    maintenance: 'En maintenance',
    notObserved: 'Non observé',
    pending: 'Premier contrôle attendu',
    paused: 'Suspendu',
    downFor: (duration) => `En panne depuis ${duration}`,
    degradedFor: (duration) => `Fonctionne mal depuis ${duration}`,
    maintenanceUntil: (time) => `En maintenance jusqu’à ${time}`,
    notObservedSince: (time, lastKnown) =>
      `Non observé depuis ${time}, dernier état connu : ${lastKnown.toLowerCase()}`,
    responseTime: (time) => `Répond en ${time}`,
    responseTimes: (least, most) => `Temps de réponse sur 24 heures : de ${least} à ${most}`,
  },
  group: {
    allUp: 'Tout fonctionne',
    down: (count) => `${count} en panne`,
    degraded: (count) => plural(count, `${count} perturbé`, `${count} perturbés`),
    maintenance: (count) => `${count} en maintenance`,
    notObserved: (count) => plural(count, `${count} non observé`, `${count} non observés`),
  },
  days: {
    services: 'Services',
    lastDays: (count) => `${count} derniers jours`,
    classes: {
      up: 'En service',
      degraded: 'Perturbé',
      down: 'En panne',
      maintenance: 'Maintenance',
      unobserved: 'Non observé',
    },
    unobservedLegend: 'Non observé : état inconnu',
    uptime: (percent) => `Disponible à ${percent}`,
    observed: (percent) => `observé à ${percent}`,
    noFigure: 'Pas encore de chiffre',
    find: 'Chercher un service',
    noMatch: 'Aucun service ne porte ce nom.',
    table: 'En tableau',
    otherDays: 'Tous les autres jours',
    allDays: 'Tous les jours',
    span: (from, to) => `du ${from} au ${to}`,
    total: (duration) => `${duration} au total`,
    imported: (day: string, source: string) =>
      `Jusqu’au ${day} : importé de ${source}, non compté dans les chiffres`,
    uncorrectedLink: 'Chiffres sans corrections',
  },
  uncorrected: {
    title: 'Disponibilité avec et sans corrections',
    explanation:
      'Certaines périodes mesurées ont été reclassées après coup, par exemple parce qu’elles relèvent de travaux prévus. Voici les deux chiffres des 90 derniers jours :',
    service: 'Service',
    corrected: 'Corrigé',
    asMeasured: 'Tel que mesuré',
  },
  incidents: {
    past: 'Incidents passés',
    none: 'Aucun incident.',
    history: 'Historique des incidents',
    maintenance: 'Maintenances prévues',
    states: {
      investigating: 'En cours d’analyse',
      identified: 'Cause identifiée',
      monitoring: 'Sous surveillance',
      resolved: 'Résolu',
      scheduled: 'Prévue',
      in_progress: 'En cours',
      completed: 'Terminée',
    },
    impact: 'Conséquences',
    impacts: { none: 'Aucune', minor: 'Mineures', major: 'Majeures', critical: 'Critiques' },
    lasting: (duration) => `depuis ${duration}`,
    lasted: (duration) => `a duré ${duration}`,
    link: 'Lien vers cet incident',
    more: 'Lire la suite',
    planned: (title) => `Prévu : ${title}`,
    began: 'Début',
    ended: 'Fin',
    plannedEnd: 'Fin prévue',
    duration: 'Durée',
    affected: 'Services touchés',
    updates: 'Messages',
    edited: 'modifié',
    postMortem: 'Retour d’expérience',
    back: statusOf((pageName) => `État de ${pageName}`),
    historyOf: (month) => `Incidents : ${month}`,
    noneInMonth: 'Aucun incident ce mois-là.',
    earlier: 'Plus ancien',
    later: 'Plus récent',
  },
  automatic: {
    title: ({ kind, impact, names, isEnded }) => {
      if (kind === 'maintenance')
        return names.length === 0 ? 'Maintenance' : `Maintenance de ${formats.list(names)}`;
      if (names.length === 0) return 'Incident';
      const who = formats.list(names);
      const count = names.length;
      if (impact === 'none') return `Incident : ${who}`;
      if (impact === 'minor')
        return `${who} ${isEnded ? plural(count, 'fonctionnait', 'fonctionnaient') : plural(count, 'fonctionne', 'fonctionnent')} mal`;
      return `${who} ${isEnded ? plural(count, 'était', 'étaient') : plural(count, 'est', 'sont')} en panne`;
    },
    text: (state, { names, impact }) => {
      const who = names.length === 0 ? 'un service' : formats.list(names);
      const count = Math.max(1, names.length);
      const how =
        impact === 'minor' || impact === 'none'
          ? `${plural(count, 'fonctionne', 'fonctionnent')} mal`
          : `${plural(count, 'est', 'sont')} en panne`;
      return {
        investigating: `D’après nos contrôles, ${who} ${how}.`,
        identified: 'La cause est identifiée.',
        monitoring: 'Un correctif est en place. Nous en surveillons l’effet.',
        resolved: `D’après nos contrôles, ${who} ${plural(count, 'fonctionne', 'fonctionnent')} de nouveau.`,
        scheduled: 'Cette maintenance est prévue.',
        in_progress: 'La maintenance a commencé.',
        completed: 'La maintenance est terminée.',
      }[state];
    },
  },
  subscribe: {
    title: 'Recevoir les nouvelles',
    explanation:
      'Un message quand un incident ou une maintenance commence, évolue ou se termine. Désinscription en un clic.',
    email: 'Adresse e-mail',
    submit: 'S’abonner',
    feeds: 'Flux',
    chooseServices: 'Choisir des services',
    someServices: 'Ces services uniquement (sans choix : tous)',
    invalidEmail: 'Saisissez une adresse e-mail telle que vous@example.com.',
    checkMailTitle: 'Consultez votre messagerie',
    checkMail:
      'Si l’adresse est correcte, un e-mail contenant un lien vient d’y être envoyé. Ouvrez ce lien pour confirmer.',
    confirmTitle: 'Confirmer l’abonnement',
    confirmText: (page) => `Les nouvelles de ${page} seront envoyées à votre adresse.`,
    confirm: 'Confirmer',
    confirmedTitle: 'Abonnement confirmé',
    confirmed: (page) =>
      `Vous recevrez un message quand un incident de ${page} commence, évolue ou se termine.`,
    unsubscribeTitle: 'Se désabonner ?',
    unsubscribeText: (page) => `Vous ne recevrez plus de messages au sujet de ${page}.`,
    unsubscribe: 'Se désabonner',
    unsubscribedTitle: 'Abonnement supprimé',
    unsubscribed: (page) => `Vous ne recevez plus de messages au sujet de ${page}.`,
    invalidLinkTitle: 'Ce lien n’est plus valable',
    invalidLink:
      'Il a déjà servi ou il a expiré. Abonnez-vous de nouveau pour en recevoir un autre.',
    tooManyTitle: 'Trop de demandes',
    tooMany: 'Réessayez dans une heure.',
    manageTitle: 'Votre abonnement',
    manageText: (page) =>
      `Choisissez les services de ${page} pour lesquels vous recevez des messages, ou mettez fin à l’abonnement.`,
    save: 'Enregistrer',
    savedTitle: 'Enregistré',
    saved: 'Les prochains messages suivront votre choix.',
    notOfferedTitle: 'Non proposé ici',
    notOffered: 'Choisissez un autre moyen de recevoir les nouvelles de cette page.',
    ways: { email: 'E-mail', webhook: 'Webhook', sms: 'SMS' },
    hook: 'Adresse du webhook',
    number: 'Numéro de téléphone',
    hints: {
      slack:
        'Dans Slack, ajoutez l’application « Incoming WebHooks » à un canal, puis copiez l’adresse affichée.',
      microsoft_teams:
        'Dans Teams, ouvrez « Workflows » d’un canal, choisissez le modèle d’envoi d’alertes de webhook à un canal, puis copiez l’adresse affichée.',
      webhook:
        'Pour les programmes : chaque nouvelle est une requête POST signée en JSON. La première contient un « challenge » que la réponse doit répéter.',
      sms: 'Avec l’indicatif du pays. Dix messages par heure au plus.',
    },
    invalid: (example) => `À saisir sous la forme ${example}.`,
    stepTitle: 'Encore une étape',
    step: {
      channel:
        'Un message vient d’être envoyé au canal. Confirmez avec son bouton : rien d’autre n’est envoyé avant.',
      webhook:
        'Une requête vient d’être envoyée au webhook. Il est abonné dès qu’il répond avec le « challenge » ou que quelqu’un ouvre le lien reçu.',
      sms: 'Un SMS contenant un lien vient d’être envoyé. Ouvrez ce lien pour confirmer.',
    },
    secret: 'Secret de signature',
    also: 'Aussi par',
    sent: (count) =>
      plural(
        count,
        `${count} message ces 90 derniers jours.`,
        `${count} messages ces 90 derniers jours.`,
      ),
    smsPaused:
      'Les nouvelles sont nombreuses : celles de la prochaine heure figurent uniquement sur la page.',
  },
  mail: {
    confirmUntil: (time) => `Le lien est valable jusqu’au ${time}.`,
    heldBack:
      'Les nouvelles sont nombreuses : celles de la prochaine heure arriveront en un seul e-mail.',
    digestSubject: 'Dernières nouvelles',
    digestText: 'Il y a eu beaucoup de nouvelles pendant la dernière heure. Voici la situation :',
    change: 'Modifier ou résilier l’abonnement',
    confirmSubject: (page) => `Confirmez votre abonnement à ${page}`,
    confirmText: (page) =>
      `Quelqu’un, sans doute vous, a demandé les nouvelles de ${page} à cette adresse. Confirmez avec ce lien :`,
    confirmIgnore: 'Si ce n’était pas vous, ignorez ce message : vous n’en recevrez pas d’autre.',
    seePage: 'Voir la page d’état',
    because: (page) => `Vous recevez ce message parce que vous êtes abonné(e) à ${page}.`,
    unsubscribe: 'Se désabonner',
  },
  signIn: {
    title: 'Cette page est protégée',
    explanation: (page) => `Saisissez le mot de passe pour voir l’état de ${page}.`,
    password: 'Mot de passe',
    submit: 'Afficher la page',
    wrong: 'Ce mot de passe est incorrect.',
    tooMany: 'Trop de tentatives. Attendez quelques minutes, puis réessayez.',
    membersTitle: 'Réservé aux membres',
    membersText: 'Les membres de l’équipe voient cette page après s’être connectés.',
    membersLink: 'Se connecter',
    addressTitle: 'Inaccessible depuis votre réseau',
    addressText: 'Cette page n’est visible que depuis certains réseaux.',
  },
  notFound: {
    title: 'Page introuvable',
    text: 'Il n’y a rien à cette adresse. Son contenu a peut-être été supprimé.',
    noPage:
      'Il n’y a pas de page d’état à cette adresse. Vérifiez qu’elle ne contient pas de faute de frappe, ou demandez à ceux qui vous l’ont donnée.',
    badge: 'introuvable',
  },
  links: { contact: 'Contact', terms: 'Conditions' },
  footer: { zone: (name) => `Heures : ${name}.`, monitoredBy: 'Surveillé par Tocsin' },
};
