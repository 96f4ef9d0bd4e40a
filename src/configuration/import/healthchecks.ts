import { parseCron } from '../../lib/cron-expression.ts';
import { isTimeZone } from '../../lib/time-zone.ts';
import { limited, nameOf, tagsOf, type Target } from './common.ts';
import { Draft } from './draft.ts';
import { ImportError, type Importer, type ImportSource, type Imported } from './importer.ts';
import { NEW_PING_URL, Notes, quoted, thing } from './notes.ts';
import { parseAnswers } from './sources.ts';
import { isOn, numberOf, objectOf, textOf, type Given } from './values.ts';

const TAKES =
  'Give the answer of GET /api/v3/checks/ of healthchecks.io or of your own server, asked with an API key that may write: a read-only key leaves out the addresses that jobs call.';

/** Healthchecks: the list of checks in versions 1 to 3 of its API (https://healthchecks.io/docs/api/). */
export const healthchecks: Importer = {
  name: 'healthchecks',
  title: 'Healthchecks',
  takes: TAKES,
  read,
};

type Check = Readonly<Given>;

function read(source: ImportSource): Imported {
  const checks = checksIn(parseAnswers(source, TAKES).answers);
  if (checks === null) throw new ImportError(`${source.file} has no list of checks. ${TAKES}`);
  const draft = new Draft('healthchecks');
  for (const check of checks) {
    const name = textOf(check['name']) || textOf(check['slug']) || null;
    const id = textOf(check['uuid'] ?? check['unique_key']) ?? aliasOf(check) ?? null;
    const thingSource = thing('check', id, name);
    const notes = new Notes();
    const schedule = scheduleOf(check, notes);
    const grace = numberOf(check['grace']);
    // Where a run is announced, its grace time is that of the run as well.
    const isAnnounced = 'last_duration' in check || check['started'] === true;
    if (typeof schedule === 'string') {
      draft.leaveOut(thingSource, schedule, notes);
      continue;
    }
    const alias = aliasOf(check);
    if (alias === undefined) notes.change(NEW_PING_URL);
    if (textOf(check['desc'])) notes.remark('Its description is left out.');
    remarkOnRules(check, notes);
    draft.addMonitor(schedule.type, {
      source: thingSource,
      notes,
      fields: {
        friendly_name: nameOf(name, 255, 'Check', notes),
        tags: tagsOf((textOf(check['tags']) ?? '').split(/\s+/), notes),
        ...schedule.fields,
        ...limited(notes, {
          heartbeat_grace: grace,
          heartbeat_max_runtime: isAnnounced ? grace : undefined,
        }),
        // A new one waits for its first ping there.
        heartbeat_wait_for_first_ping: check['status'] === 'new' ? true : undefined,
        is_paused: check['status'] === 'paused' ? true : undefined,
        ping_aliases: alias === undefined ? undefined : [alias],
      },
    });
  }
  if (checks.some((check) => textOf(check['channels'])))
    draft.leaveOut(
      'integrations',
      'Its API does not show where they lead: set them up as alert channels by hand.',
    );
  return draft.imported();
}

/** Those of answers, or checks alone. */
function checksIn(answers: readonly Check[]): Check[] | null {
  if (answers.length > 0 && answers.every(isCheck)) return [...answers];
  const lists = answers.map((answer) => answer['checks']);
  return lists.every(Array.isArray) ? lists.flat().map(objectOf) : null;
}

const isCheck = (value: unknown) => {
  const check = objectOf(value);
  return 'grace' in check && ('timeout' in check || 'schedule' in check);
};

function scheduleOf(check: Check, notes: Notes): Target | string {
  const expression = textOf(check['schedule'])?.trim();
  if (expression === undefined) {
    const timeout = numberOf(check['timeout']);
    if (timeout === undefined) return 'It has neither a timeout nor a schedule.';
    return { type: 'heartbeat', fields: limited(notes, { heartbeat_interval: timeout }) };
  }
  const parsed = parseCron(expression);
  if (!parsed.ok)
    return `Its schedule ${quoted(expression)} is no cron expression that Tocsin knows: it ${parsed.fault}. Make it a heartbeat or a cron monitor by hand.`;
  const timezone = textOf(check['tz']) || 'UTC';
  if (!isTimeZone(timezone))
    notes.change(`Its time zone ${quoted(timezone)} is not known: it is UTC.`);
  return {
    type: 'cron',
    fields: {
      heartbeat_cron_expression: expression,
      heartbeat_timezone: isTimeZone(timezone) ? timezone : undefined,
    },
  };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** A ping key of a project, and the slug of a check. */
const KEY_AND_SLUG = /\/([\w-]{22}\/[a-z\d_-]+)\/?$/;

/** The path at which its job reports, as servers of one's own have it; that of hc-ping.com lacks `/ping`. */
function aliasOf(check: Check): string | undefined {
  const path = URL.parse(textOf(check['ping_url']) ?? '')?.pathname ?? '';
  const [, named] = KEY_AND_SLUG.exec(path) ?? [];
  if (named !== undefined) return `/ping/${named}`;
  const uuid = textOf(check['uuid']) ?? path.split('/').findLast((part) => part !== '') ?? '';
  return UUID.test(uuid) ? `/ping/${uuid.toLowerCase()}` : undefined;
}

/** Rules by which Healthchecks reads pings. */
function remarkOnRules(check: Check, notes: Notes): void {
  const filters = ['filter_subject', 'filter_body', 'filter_http_body', 'subject', 'subject_fail'];
  if (
    filters.some(
      (name) => check[name] === true || (typeof check[name] === 'string' && check[name] !== ''),
    )
  )
    notes.change(
      'It reads keywords in mails or bodies: Tocsin takes success and failure by the address that is called.',
    );
  if (check['methods'] === 'POST') notes.change('It takes pings by GET and HEAD as well as POST.');
  if (isOn(check['manual_resume']))
    notes.change('A ping resumes nothing and pauses nothing: it has no manual resume.');
}
