import type { Words } from './en.ts';
import { clausesOf, countOf, formatsOf, named, pluralOf, statusOf } from './formats.ts';

const formats = formatsOf('es', {
  minute: ' min',
  hour: ' h',
  day: { one: '# día', other: '# días' },
  lessThanAMinute: 'menos de un minuto',
  gap: ' ',
});
const plural = pluralOf('es');
const subject = named(formats, (count) => plural(count, '1 servicio', `${count} servicios`));
const problems = clausesOf(
  (down) => `${subject(down)} no ${plural(countOf(down), 'funciona', 'funcionan')}`,
  (degraded) =>
    `${subject(degraded)} ${plural(countOf(degraded), 'funciona', 'funcionan')} con problemas`,
);

/** Spanish. Phrases agree with no name, since the gender of names is not known. */
export const ES: Words = {
  ...formats,
  language: 'es',
  state: {
    allUp: 'Todos los servicios funcionan.',
    allCheckedUp: 'Todos los servicios que comprobamos funcionan.',
    problems,
    maintenance: (who) =>
      `${subject(who)} ${plural(countOf(who), 'está', 'están')} en mantenimiento.`,
    notObserved: (who) => `No hay observaciones recientes de ${subject(who)}.`,
    cannotTell: (duration) => `No se conoce el estado: la última observación fue hace ${duration}.`,
    waiting: 'A la espera de las primeras comprobaciones.',
    paused: 'Las comprobaciones están en pausa.',
    noServices: 'No hay incidencias notificadas.',
  },
  remark: {
    restWorks: 'Todo lo demás funciona.',
    lastKnownUp: 'Último estado conocido: todos los servicios funcionaban.',
    lastKnown: (known) => `Último estado conocido: ${problems(known)}`,
    checksFindUp: 'Nuestras comprobaciones no detectan ningún fallo.',
    plannedUntil: (time) => `Previsto hasta: ${time}.`,
    checked: (when) => `Última comprobación: ${when}`,
    asOf: (time) => `Estado a ${time}`,
    asOfAge: (time, age) => `Estado a ${time}, hace ${age}`,
  },
  service: {
    up: 'En funcionamiento',
    down: 'No funciona',
    degraded: 'Con problemas',
    maintenance: 'En mantenimiento',
    notObserved: 'Sin observaciones',
    pending: 'A la espera de la primera comprobación',
    paused: 'En pausa',
    downFor: (duration) => `No funciona desde hace ${duration}`,
    degradedFor: (duration) => `Con problemas desde hace ${duration}`,
    maintenanceUntil: (time) => `En mantenimiento hasta las ${time}`,
    notObservedSince: (time, lastKnown) =>
      `Sin observaciones desde ${time}, último estado conocido: ${lastKnown.toLowerCase()}`,
    responseTime: (time) => `Responde en ${time}`,
    responseTimes: (least, most) => `Tiempos de respuesta en 24 horas: de ${least} a ${most}`,
  },
  group: {
    allUp: 'Todo funciona',
    down: (count) => plural(count, `${count} no funciona`, `${count} no funcionan`),
    degraded: (count) => `${count} con problemas`,
    maintenance: (count) => `${count} en mantenimiento`,
    notObserved: (count) => `${count} sin observaciones`,
  },
  days: {
    services: 'Servicios',
    lastDays: (count) => `últimos ${count} días`,
    classes: {
      up: 'En funcionamiento',
      degraded: 'Con problemas',
      down: 'Caída',
      maintenance: 'Mantenimiento',
      unobserved: 'Sin observaciones',
    },
    unobservedLegend: 'Sin observaciones: estado desconocido',
    uptime: (percent) => `Disponible el ${percent}`,
    observed: (percent) => `observado el ${percent}`,
    noFigure: 'Aún sin cifra',
    find: 'Buscar un servicio',
    noMatch: 'Ningún servicio se llama así.',
    table: 'Como tabla',
    otherDays: 'Todos los demás días',
    allDays: 'Todos los días',
    span: (from, to) => `del ${from} al ${to}`,
    total: (duration) => `${duration} en total`,
    imported: (day: string, source: string) =>
      `Hasta el ${day}: importado de ${source}, no cuenta en las cifras`,
    uncorrectedLink: 'Cifras sin correcciones',
  },
  uncorrected: {
    title: 'Disponibilidad con y sin correcciones',
    explanation:
      'Algunos periodos medidos se reclasificaron después, por ejemplo porque forman parte de trabajos previstos. Estas son ambas cifras de los últimos 90 días:',
    service: 'Servicio',
    corrected: 'Corregida',
    asMeasured: 'Tal como se midió',
  },
  incidents: {
    past: 'Incidencias pasadas',
    none: 'Sin incidencias.',
    history: 'Historial de incidencias',
    maintenance: 'Mantenimiento previsto',
    states: {
      investigating: 'En investigación',
      identified: 'Causa identificada',
      monitoring: 'En observación',
      resolved: 'Resuelta',
      scheduled: 'Previsto',
      in_progress: 'En curso',
      completed: 'Terminado',
    },
    impact: 'Efecto',
    impacts: { none: 'Ninguno', minor: 'Leve', major: 'Grave', critical: 'Crítico' },
    lasting: (duration) => `desde hace ${duration}`,
    lasted: (duration) => `duró ${duration}`,
    link: 'Enlace a esta incidencia',
    more: 'Leer más',
    planned: (title) => `Previsto: ${title}`,
    began: 'Inicio',
    ended: 'Fin',
    plannedEnd: 'Fin previsto',
    duration: 'Duración',
    affected: 'Servicios afectados',
    updates: 'Mensajes',
    edited: 'editado',
    postMortem: 'Análisis posterior',
    back: statusOf((pageName) => `Estado de ${pageName}`),
    historyOf: (month) => `Incidencias de ${month}`,
    noneInMonth: 'No hubo incidencias en este mes.',
    earlier: 'Anteriores',
    later: 'Posteriores',
  },
  automatic: {
    title: ({ kind, impact, names, isEnded }) => {
      if (kind === 'maintenance')
        return names.length === 0 ? 'Mantenimiento' : `Mantenimiento de ${formats.list(names)}`;
      if (names.length === 0) return 'Incidencia';
      const who = formats.list(names);
      const verb = isEnded
        ? plural(names.length, 'funcionaba', 'funcionaban')
        : plural(names.length, 'funciona', 'funcionan');
      if (impact === 'none') return `Incidencia de ${who}`;
      return impact === 'minor' ? `${who} ${verb} con problemas` : `${who} no ${verb}`;
    },
    text: (state, { names, impact }) => {
      const who = names.length === 0 ? 'un servicio' : formats.list(names);
      const verb = plural(Math.max(1, names.length), 'funciona', 'funcionan');
      const how = impact === 'minor' || impact === 'none' ? `${verb} con problemas` : `no ${verb}`;
      return {
        investigating: `Según nuestras comprobaciones, ${who} ${how}.`,
        identified: 'La causa está identificada.',
        monitoring: 'Se ha aplicado una solución. Estamos observando el resultado.',
        resolved: `Según nuestras comprobaciones, ${who} ${verb} de nuevo.`,
        scheduled: 'Este mantenimiento está previsto.',
        in_progress: 'El mantenimiento ha comenzado.',
        completed: 'El mantenimiento ha terminado.',
      }[state];
    },
  },
  subscribe: {
    title: 'Recibir novedades',
    explanation:
      'Un mensaje cuando una incidencia o un mantenimiento empieza, cambia o termina. La suscripción se cancela con un clic.',
    email: 'Correo electrónico',
    submit: 'Suscribirse',
    feeds: 'Canales',
    chooseServices: 'Elegir servicios',
    someServices: 'Solo estos servicios (sin elegir: todos)',
    invalidEmail: 'Escriba una dirección de correo como usted@example.com.',
    checkMailTitle: 'Revise su correo',
    checkMail:
      'Si la dirección es correcta, le hemos enviado un mensaje con un enlace. Ábralo para confirmar la suscripción.',
    confirmTitle: 'Confirmar la suscripción',
    confirmText: (page) => `Las novedades de ${page} se enviarán a su dirección.`,
    confirm: 'Confirmar',
    confirmedTitle: 'Suscripción confirmada',
    confirmed: (page) =>
      `Recibirá un mensaje cuando una incidencia de ${page} empiece, cambie o termine.`,
    unsubscribeTitle: '¿Cancelar la suscripción?',
    unsubscribeText: (page) => `No recibirá más mensajes sobre ${page}.`,
    unsubscribe: 'Cancelar la suscripción',
    unsubscribedTitle: 'Suscripción cancelada',
    unsubscribed: (page) => `Ya no recibe mensajes sobre ${page}.`,
    invalidLinkTitle: 'Este enlace ya no es válido',
    invalidLink: 'Ya se usó o ha caducado. Suscríbase de nuevo para recibir otro.',
    tooManyTitle: 'Demasiadas solicitudes',
    tooMany: 'Inténtelo de nuevo dentro de una hora.',
    manageTitle: 'Su suscripción',
    manageText: (page) =>
      `Elija de qué servicios de ${page} recibe mensajes, o cancele la suscripción.`,
    save: 'Guardar',
    savedTitle: 'Guardado',
    saved: 'Los próximos mensajes seguirán su elección.',
    notOfferedTitle: 'No disponible aquí',
    notOffered: 'Elija otra forma de recibir las novedades de esta página.',
    ways: { email: 'Correo', webhook: 'Webhook', sms: 'SMS' },
    hook: 'Dirección del webhook',
    number: 'Número de teléfono',
    hints: {
      slack:
        'En Slack, añada la aplicación «Incoming WebHooks» a un canal y copie la dirección que muestra.',
      microsoft_teams:
        'En Teams, abra «Workflows» de un canal, elija la plantilla que envía alertas de webhook a un canal y copie la dirección que muestra.',
      webhook:
        'Para programas: cada novedad es una solicitud POST firmada con JSON. La primera contiene un «challenge» que la respuesta debe repetir.',
      sms: 'Con el prefijo del país. Diez mensajes por hora como máximo.',
    },
    invalid: (example) => `Use la forma ${example}.`,
    stepTitle: 'Falta un paso',
    step: {
      channel:
        'Hemos enviado un mensaje al canal. Confirme con su botón: antes no se envía nada más.',
      webhook:
        'Hemos enviado una solicitud al webhook. Queda suscrito en cuanto responda con el «challenge» o alguien abra el enlace recibido.',
      sms: 'Hemos enviado un SMS con un enlace. Ábralo para confirmar la suscripción.',
    },
    secret: 'Secreto de firma',
    also: 'También por',
    sent: (count) =>
      plural(
        count,
        '1 mensaje en los últimos 90 días.',
        `${count} mensajes en los últimos 90 días.`,
      ),
    smsPaused: 'Hay muchas novedades: las de la próxima hora solo aparecen en la página.',
  },
  mail: {
    confirmUntil: (time) => `El enlace es válido hasta el ${time}.`,
    heldBack: 'Hay muchas novedades: las de la próxima hora llegarán en un solo mensaje.',
    digestSubject: 'Últimas novedades',
    digestText: 'Ha habido muchas novedades en la última hora. Esta es la situación:',
    change: 'Cambiar o cancelar la suscripción',
    confirmSubject: (page) => `Confirme su suscripción a ${page}`,
    confirmText: (page) =>
      `Alguien, probablemente usted, pidió recibir las novedades de ${page} en esta dirección. Confírmelo con este enlace:`,
    confirmIgnore: 'Si no fue usted, ignore este mensaje: no recibirá ningún otro.',
    seePage: 'Ver la página de estado',
    because: (page) => `Recibe este mensaje porque se suscribió a ${page}.`,
    unsubscribe: 'Cancelar la suscripción',
  },
  signIn: {
    title: 'Esta página está protegida',
    explanation: (page) => `Escriba la contraseña para ver el estado de ${page}.`,
    password: 'Contraseña',
    submit: 'Ver la página',
    wrong: 'Esta contraseña no es correcta.',
    tooMany: 'Demasiados intentos. Espere unos minutos y vuelva a intentarlo.',
    membersTitle: 'Solo para miembros',
    membersText: 'Los miembros del equipo ven esta página tras iniciar sesión.',
    membersLink: 'Iniciar sesión',
    addressTitle: 'No disponible desde su red',
    addressText: 'Esta página solo se ve desde determinadas redes.',
  },
  notFound: {
    title: 'Página no encontrada',
    text: 'No hay nada en esta dirección. Puede que se haya eliminado.',
    noPage:
      'No hay ninguna página de estado en esta dirección. Compruebe que está bien escrita o pregunte a quien se la dio.',
    badge: 'no encontrado',
  },
  links: { contact: 'Contacto', terms: 'Condiciones' },
  footer: { zone: (name) => `Horas en ${name}.`, monitoredBy: 'Supervisado por Tocsin' },
};
