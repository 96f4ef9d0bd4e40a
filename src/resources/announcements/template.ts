import type { Kysely } from 'kysely';
import type { Caller } from '../../identity/caller.ts';
import { canonicalHostOf } from '../../lib/url-host.ts';
import type { Schema } from '../../store/database/schema.ts';
import { namesOfMonitors } from '../../store/resources/publishing.ts';
import { updateTemplates } from '../update-templates.ts';
import type { Findings } from '../common/input.ts';

/** Stands for the names of the affected services in a template. */
export const SERVICES_PLACEHOLDER = '{services}';

/** State, title and text of a template, with the names of the affected services. */
export interface FilledTemplate {
  state: string;
  title: string | null;
  text: string;
}

/** Reads a template for an update; null without an id. Reports an unknown one. @param monitors called at most once. */
export async function filledTemplate(
  db: Kysely<Schema>,
  caller: Caller,
  id: number | null,
  findings: Findings,
  monitors: () => Promise<number[]>,
): Promise<FilledTemplate | null> {
  if (id === null) return null;
  const row = await updateTemplates.rows.find(db, caller.team.id, id);
  if (row === undefined) {
    findings.add('template_id', 'must be the id of an update template of your team');
    return null;
  }
  const { state, title, text } = row;
  if (![title, text].some((one) => one?.includes(SERVICES_PLACEHOLDER)))
    return { state, title, text };
  const names = (await namesOfMonitors(db, await monitors())).map(
    ({ friendly_name, url }) => friendly_name ?? canonicalHostOf(url) ?? '',
  );
  const services = names.filter((name) => name !== '').join(', ');
  const fill = (one: string) => one.replaceAll(SERVICES_PLACEHOLDER, () => services);
  return { state, title: title === null ? null : fill(title), text: fill(text) };
}
