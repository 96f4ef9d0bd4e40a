import type { Words } from './en.ts';
import { clausesOf, countOf, formatsOf, named, pluralOf, statusOf } from './formats.ts';

const formats = formatsOf('pt', {
  minute: ' min',
  hour: ' h',
  day: { one: '# dia', other: '# dias' },
  lessThanAMinute: 'menos de um minuto',
  gap: ' ',
});
const plural = pluralOf('pt');
const subject = named(formats, (count) => plural(count, '1 serviço', `${count} serviços`));
const is = (who: readonly string[] | number) =>
  `${subject(who)} ${plural(countOf(who), 'está', 'estão')}`;
const problems = clausesOf(
  (down) => `${is(down)} fora do ar`,
  (degraded) => `${is(degraded)} com problemas`,
);

/** Portuguese. Phrases agree with no name, since the gender of names is not known. */
export const PT: Words = {
  ...formats,
  language: 'pt',
  state: {
    allUp: 'Todos os serviços estão funcionando.',
    allCheckedUp: 'Todos os serviços que verificamos estão funcionando.',
    problems,
    maintenance: (who) => `${is(who)} em manutenção.`,
    notObserved: (who) => `Não há observações recentes de ${subject(who)}.`,
    cannotTell: (duration) => `O estado é desconhecido: nada foi observado há ${duration}.`,
    waiting: 'Aguardando as primeiras verificações.',
    paused: 'As verificações estão em pausa.',
    noServices: 'Nenhum incidente relatado.',
  },
  remark: {
    restWorks: 'Todo o resto funciona.',
    lastKnownUp: 'Último estado conhecido: todos os serviços funcionando.',
    lastKnown: (known) => `Último estado conhecido: ${problems(known)}`,
    checksFindUp: 'Nossas verificações não encontram nenhuma falha.',
    plannedUntil: (time) => `Previsto até ${time}.`,
    checked: (when) => `Última verificação: ${when}`,
    asOf: (time) => `Situação em ${time}`,
    asOfAge: (time, age) => `Situação em ${time}, há ${age}`,
  },
  service: {
    up: 'Funcionando',
    down: 'Fora do ar',
    degraded: 'Com problemas',
    maintenance: 'Em manutenção',
    notObserved: 'Sem observações',
    pending: 'Aguardando a primeira verificação',
    paused: 'Em pausa',
    downFor: (duration) => `Fora do ar há ${duration}`,
    degradedFor: (duration) => `Com problemas há ${duration}`,
    maintenanceUntil: (time) => `Em manutenção até ${time}`,
    notObservedSince: (time, lastKnown) =>
      `Sem observações desde ${time}, último estado conhecido: ${lastKnown.toLowerCase()}`,
    responseTime: (time) => `Responde em ${time}`,
    responseTimes: (least, most) => `Tempos de resposta em 24 horas: ${least} a ${most}`,
  },
  group: {
    allUp: 'Tudo funcionando',
    down: (count) => `${count} fora do ar`,
    degraded: (count) => `${count} com problemas`,
    maintenance: (count) => `${count} em manutenção`,
    notObserved: (count) => `${count} sem observações`,
  },
  days: {
    services: 'Serviços',
    lastDays: (count) => `últimos ${count} dias`,
    classes: {
      up: 'Funcionando',
      degraded: 'Com problemas',
      down: 'Fora do ar',
      maintenance: 'Manutenção',
      unobserved: 'Sem observações',
    },
    unobservedLegend: 'Sem observações: estado desconhecido',
    uptime: (percent) => `Disponível em ${percent}`,
    observed: (percent) => `observado em ${percent}`,
    noFigure: 'Ainda sem valor',
    find: 'Buscar um serviço',
    noMatch: 'Nenhum serviço tem esse nome.',
    table: 'Como tabela',
    otherDays: 'Todos os outros dias',
    allDays: 'Todos os dias',
    span: (from, to) => `${from} a ${to}`,
    total: (duration) => `${duration} no total`,
    imported: (day, source) => `Até ${day}: importado de ${source}, não conta nos valores`,
    uncorrectedLink: 'Valores sem correções',
  },
  uncorrected: {
    title: 'Disponibilidade com e sem correções',
    explanation:
      'Alguns períodos medidos foram reclassificados depois, por exemplo porque fazem parte de trabalhos previstos. Estes são os dois valores dos últimos 90 dias:',
    service: 'Serviço',
    corrected: 'Corrigida',
    asMeasured: 'Como medida',
  },
  incidents: {
    past: 'Incidentes anteriores',
    none: 'Nenhum incidente.',
    history: 'Histórico de incidentes',
    maintenance: 'Manutenção prevista',
    states: {
      investigating: 'Em investigação',
      identified: 'Causa identificada',
      monitoring: 'Em observação',
      resolved: 'Resolvido',
      scheduled: 'Prevista',
      in_progress: 'Em andamento',
      completed: 'Concluída',
    },
    impact: 'Impacto',
    impacts: { none: 'Nenhum', minor: 'Leve', major: 'Grave', critical: 'Crítico' },
    lasting: (duration) => `há ${duration}`,
    lasted: (duration) => `durou ${duration}`,
    link: 'Link deste incidente',
    more: 'Ler mais',
    planned: (title) => `Previsto: ${title}`,
    began: 'Início',
    ended: 'Fim',
    plannedEnd: 'Fim previsto',
    duration: 'Duração',
    affected: 'Serviços afetados',
    updates: 'Atualizações',
    edited: 'editado',
    postMortem: 'Análise posterior',
    back: statusOf((pageName) => `Status de ${pageName}`),
    historyOf: (month) => `Incidentes de ${month}`,
    noneInMonth: 'Não houve incidentes neste mês.',
    earlier: 'Anteriores',
    later: 'Posteriores',
  },
  automatic: {
    title: ({ kind, impact, names, isEnded }) => {
      if (kind === 'maintenance')
        return names.length === 0 ? 'Manutenção' : `Manutenção de ${formats.list(names)}`;
      if (names.length === 0) return 'Incidente';
      const who = formats.list(names);
      if (impact === 'none') return `Incidente em ${who}`;
      const verb = isEnded
        ? plural(names.length, 'esteve', 'estiveram')
        : plural(names.length, 'está', 'estão');
      return `${who} ${verb} ${impact === 'minor' ? 'com problemas' : 'fora do ar'}`;
    },
    text: (state, { names, impact }) => {
      const who = names.length === 0 ? 'um serviço' : formats.list(names);
      const are = plural(Math.max(1, names.length), 'está', 'estão');
      return {
        investigating: `Segundo nossas verificações, ${who} ${are} ${impact === 'minor' || impact === 'none' ? 'com problemas' : 'fora do ar'}.`,
        identified: 'A causa foi identificada.',
        monitoring: 'Uma correção foi aplicada. Estamos observando o resultado.',
        resolved: `Segundo nossas verificações, ${who} ${are} funcionando de novo.`,
        scheduled: 'Esta manutenção está prevista.',
        in_progress: 'A manutenção começou.',
        completed: 'A manutenção foi concluída.',
      }[state];
    },
  },
  subscribe: {
    title: 'Receber atualizações',
    explanation:
      'Uma mensagem quando um incidente ou manutenção começa, muda ou termina. Um clique cancela a inscrição.',
    email: 'Endereço de e-mail',
    submit: 'Inscrever-se',
    feeds: 'Feeds',
    chooseServices: 'Escolher serviços',
    someServices: 'Somente estes serviços (sem escolha: todos)',
    invalidEmail: 'Informe um endereço de e-mail como voce@example.com.',
    checkMailTitle: 'Confira seu e-mail',
    checkMail:
      'Se o endereço estiver certo, uma mensagem com um link está a caminho. Abra o link para confirmar a inscrição.',
    confirmTitle: 'Confirmar a inscrição',
    confirmText: (page) => `As atualizações de ${page} serão enviadas para o seu endereço.`,
    confirm: 'Confirmar',
    confirmedTitle: 'Inscrição confirmada',
    confirmed: (page) =>
      `Você receberá uma mensagem quando um incidente de ${page} começar, mudar ou terminar.`,
    unsubscribeTitle: 'Cancelar a inscrição?',
    unsubscribeText: (page) => `Você não receberá mais mensagens sobre ${page}.`,
    unsubscribe: 'Cancelar a inscrição',
    unsubscribedTitle: 'Inscrição cancelada',
    unsubscribed: (page) => `Você não recebe mais mensagens sobre ${page}.`,
    invalidLinkTitle: 'Este link não é mais válido',
    invalidLink: 'Ele já foi usado ou expirou. Inscreva-se de novo para receber outro.',
    tooManyTitle: 'Pedidos demais',
    tooMany: 'Tente de novo em uma hora.',
    manageTitle: 'Sua inscrição',
    manageText: (page) =>
      `Escolha de quais serviços de ${page} você recebe mensagens, ou cancele a inscrição.`,
    save: 'Salvar',
    savedTitle: 'Salvo',
    saved: 'As próximas mensagens seguirão a sua escolha.',
    notOfferedTitle: 'Não disponível aqui',
    notOffered: 'Escolha outra forma de receber as atualizações desta página.',
    ways: { email: 'E-mail', webhook: 'Webhook', sms: 'SMS' },
    hook: 'Endereço do webhook',
    number: 'Número de telefone',
    hints: {
      slack:
        'No Slack, adicione o aplicativo “Incoming WebHooks” a um canal e copie o endereço mostrado.',
      microsoft_teams:
        'No Teams, abra “Workflows” de um canal, escolha o modelo que envia alertas de webhook a um canal e copie o endereço mostrado.',
      webhook:
        'Para programas: cada atualização é uma requisição POST assinada com JSON. A primeira contém um “challenge” que a resposta deve repetir.',
      sms: 'Com o código do país. No máximo dez mensagens por hora.',
    },
    invalid: (example) => `Use a forma ${example}.`,
    stepTitle: 'Falta um passo',
    step: {
      channel:
        'Uma mensagem está a caminho do canal. Confirme pelo botão dela: antes disso, nada mais é enviado.',
      webhook:
        'Uma requisição está a caminho do webhook. Ele fica inscrito assim que responder com o “challenge” ou alguém abrir o link recebido.',
      sms: 'Um SMS com um link está a caminho. Abra o link para confirmar a inscrição.',
    },
    secret: 'Segredo de assinatura',
    also: 'Também por',
    sent: (count) =>
      plural(
        count,
        `${count} mensagem nos últimos 90 dias.`,
        `${count} mensagens nos últimos 90 dias.`,
      ),
    smsPaused: 'Há muitas atualizações: as da próxima hora aparecem somente na página.',
  },
  mail: {
    confirmUntil: (time) => `O link é válido até ${time}.`,
    heldBack: 'Há muitas atualizações: as da próxima hora chegarão em um único e-mail.',
    digestSubject: 'Últimas atualizações',
    digestText: 'Houve muitas atualizações na última hora. Esta é a situação:',
    change: 'Alterar ou cancelar a inscrição',
    confirmSubject: (page) => `Confirme sua inscrição em ${page}`,
    confirmText: (page) =>
      `Alguém, provavelmente você, pediu as atualizações de ${page} neste endereço. Confirme com este link:`,
    confirmIgnore: 'Se não foi você, ignore esta mensagem: não receberá nenhuma outra.',
    seePage: 'Ver a página de status',
    because: (page) => `Você recebe este e-mail porque se inscreveu em ${page}.`,
    unsubscribe: 'Cancelar a inscrição',
  },
  signIn: {
    title: 'Esta página é protegida',
    explanation: (page) => `Digite a senha para ver o status de ${page}.`,
    password: 'Senha',
    submit: 'Mostrar a página',
    wrong: 'Esta senha está incorreta.',
    tooMany: 'Tentativas demais. Aguarde alguns minutos e tente de novo.',
    membersTitle: 'Somente para membros',
    membersText: 'Membros da equipe veem esta página depois de entrar.',
    membersLink: 'Entrar',
    addressTitle: 'Indisponível na sua rede',
    addressText: 'Esta página só pode ser vista a partir de certas redes.',
  },
  notFound: {
    title: 'Página não encontrada',
    text: 'Não há nada neste endereço. Pode ter sido removido.',
    noPage:
      'Não há nenhuma página de status neste endereço. Confira se ele foi digitado corretamente ou pergunte a quem o enviou.',
    badge: 'não encontrado',
  },
  links: { contact: 'Contato', terms: 'Termos' },
  footer: { zone: (name) => `Horários em ${name}.`, monitoredBy: 'Monitorado por Tocsin' },
};
