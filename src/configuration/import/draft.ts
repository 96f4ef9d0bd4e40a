import ipaddr from 'ipaddr.js';
import type { z } from 'zod';
import { cut } from '../../lib/text.ts';
import { canonicalHostOf } from '../../lib/url-host.ts';
import { FIELDS, type FieldName } from '../../monitor-types/fields.ts';
import type { MonitorTypeDefinition } from '../../monitor-types/definition.ts';
import { definitionOf, takes, type MonitorType } from '../../monitor-types/registry.ts';
import {
  MAX_ITEMS,
  MAX_KEY_LENGTH,
  type ConfigurationDocument,
  type ConfigurationItem,
  type Section,
} from '../document.ts';
import { slugOf } from '../keys.ts';
import { nameOf, withoutSecrets } from './common.ts';
import { ImportError, type Imported, type ImportNote, type MonitorHistory } from './importer.ts';
import { Notes } from './notes.ts';

const MAX_GROUP_NAME = 60;

/** A thing of a source on its way into a document. */
export interface Translated {
  /** How its service shows it: see `thing`. */
  source: string;
  notes: Notes;
  /** Those of the API's request. Undefined ones are left out. */
  fields: Record<string, unknown>;
}

/** A document that grows thing by thing, with its report. Throws an ImportError when there are more than a set may have. */
export class Draft {
  readonly #document: ConfigurationDocument;
  readonly #report: ImportNote[] = [];
  readonly #history: MonitorHistory[] = [];
  readonly #addresses = new Set<string>();
  #things = 0;
  readonly #keys = new Map<Section, (name: string) => string>();
  readonly #groupName = createNames(' ', MAX_GROUP_NAME);
  /** Keys by folded name: the API takes each name once. */
  readonly #groups = new Map<string, string>();

  /** @param name of the set, such as `uptime-kuma`. */
  constructor(name: string) {
    this.#document = { name };
  }

  /** Adds an item whose fields suit the API. Returns its key, which is made of its name. */
  add(section: Section, { source, notes, fields }: Translated): string {
    const key = this.#insert(section, fields);
    this.#note(source, notes, { section, key });
    return key;
  }

  /**
   * Adds a monitor. A field that the API would refuse is left out with a note, and the monitor with it when its type
   * requires the field. Returns its key; null when it is left out.
   */
  addMonitor(type: MonitorType, { source, notes, fields }: Translated): string | null {
    const known = acceptedFields(type, fields, notes);
    const missing = definitionOf(type).required.find(([name]) => known[name] === undefined);
    if (missing !== undefined) {
      this.leaveOut(source, `Tocsin needs its ${missing[0]}: ${missing[1]}.`, notes);
      return null;
    }
    remarkOnAddress(known['url'], notes);
    known['ping_aliases'] = this.#freeAliases(known['ping_aliases'], notes);
    const monitor = { friendly_name: known['friendly_name'] ?? known['url'], ...known };
    return this.add('monitors', { source, notes, fields: { monitor_type: type, ...monitor } });
  }

  /** Adds a group of the source, under another name when one of that name is there. @param parent key of a group without one. */
  addGroup(source: string, name: string, parent: string | undefined, notes: Notes): string {
    const key = this.#insertGroup(name, parent, notes);
    this.#note(source, notes, { section: 'groups', key });
    return key;
  }

  /** The key of the group of this name, which is added without a line in the report when there is none yet. */
  group(name: string): string {
    const known = this.#groups.get(folded(nameOf(name, MAX_GROUP_NAME, 'Group', new Notes())));
    return known ?? this.#insertGroup(name, undefined, new Notes());
  }

  /** The item that was added last, to be completed. Throws before the first one. */
  lastItem(section: Section): ConfigurationItem {
    const item = this.#document[section]?.at(-1);
    if (item === undefined) throw new Error(`There is no item of the ${section} yet.`);
    return item;
  }

  /** Says that a thing of the source became part of a monitor that is there. @param key of the monitor. */
  mergeInto(key: string, source: string, notes: Notes): void {
    this.#note(source, notes, { section: 'monitors', key });
  }

  leaveOut(source: string, reason: string, notes = new Notes()): void {
    const sentences = [reason, ...notes.sentences];
    this.#report.push({ source, outcome: 'left_out', item: null, notes: sentences });
    this.#count();
  }

  leaveOutPages(): void {
    this.leaveOut(
      'further pages of the answer',
      'The file has not all of a list: add its other pages.',
    );
  }

  addHistory(history: MonitorHistory): void {
    if (history.days.length > 0) this.#history.push(history);
  }

  /** @throws ImportError when nothing was in the source. */
  imported(): Imported {
    if (this.#report.length === 0)
      throw new ImportError('The file lists nothing, so nothing can be imported.');
    return {
      document: this.#document,
      report: this.#report,
      ...(this.#history.length > 0 && { history: this.#history }),
    };
  }

  /** Takes the address of a job or a status page. False if another thing of the document has it. */
  claim(address: string): boolean {
    const isFree = !this.#addresses.has(address);
    this.#addresses.add(address);
    return isFree;
  }

  #freeAliases(aliases: unknown, notes: Notes): unknown {
    if (!Array.isArray(aliases)) return undefined;
    const free = (aliases as string[]).filter((alias) => this.claim(alias));
    if (free.length < aliases.length)
      notes.change('Its job must be given a new address: another monitor has the same one.');
    return free.length === 0 ? undefined : free;
  }

  #insertGroup(name: string, parent: string | undefined, notes: Notes): string {
    const shown = nameOf(name, MAX_GROUP_NAME, 'Group', notes);
    const free = this.#groupName(shown);
    if (free !== shown) notes.remark(`Its name is ${free}, as another group is called ${shown}.`);
    const key = this.#insert('groups', { name: free, parent_id: parent });
    this.#groups.set(folded(free), key);
    return key;
  }

  #count(): void {
    this.#things += 1;
    if (this.#things > MAX_ITEMS)
      throw new ImportError(
        `The file holds more than ${MAX_ITEMS} things, and a set may have no more: give it in parts.`,
      );
  }

  #insert(section: Section, fields: Record<string, unknown>): string {
    const name = String(fields['name'] ?? fields['friendly_name']);
    const keyOf = this.#keys.get(section) ?? createNames('-', MAX_KEY_LENGTH);
    this.#keys.set(section, keyOf);
    const key = keyOf(slugOf(name));
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    const item: ConfigurationItem = { key, ...Object.fromEntries(given) };
    (this.#document[section] ??= []).push(item);
    this.#count();
    return key;
  }

  #note(source: string, { isChanged, sentences }: Notes, item: ImportNote['item']): void {
    const outcome = isChanged ? 'changed' : 'imported';
    this.#report.push({ source, outcome, item, notes: sentences });
  }
}

/** As the API compares names of groups. */
const folded = (name: string) => name.normalize('NFC').toLowerCase();

/**
 * Texts that are each used once: of one that is taken, the first number from 2 is added that makes it free. Thousands of
 * the same take no longer than others.
 */
function createNames(separator: string, maximum: number) {
  const taken = new Set<string>();
  const last = new Map<string, number>();
  return (text: string): string => {
    let free = text;
    let number = last.get(text) ?? 1;
    while (taken.has(folded(free))) {
      number += 1;
      const ending = `${separator}${number}`;
      free = `${text.slice(0, maximum - ending.length).toWellFormed()}${ending}`;
    }
    last.set(text, number);
    taken.add(folded(free));
    return free;
  };
}

const schemas = new Map<string, z.ZodType>();

/** Made once, as there are thousands of monitors. */
function schemaOf(type: MonitorTypeDefinition, name: FieldName): z.ZodType {
  const { input } = FIELDS[name];
  if (typeof input !== 'function') return input;
  const known = schemas.get(`${type.name} ${name}`);
  const schema = known ?? input({ type, regions: [] });
  schemas.set(`${type.name} ${name}`, schema);
  return schema;
}

/** The fields of a monitor that the table of its fields takes. */
function acceptedFields(type: MonitorType, fields: Record<string, unknown>, notes: Notes) {
  const definition = definitionOf(type);
  const accepted = Object.entries(fields).filter(([name, value]) => {
    if (value === undefined || value === null) return false;
    const field = FIELDS[name as FieldName];
    // References are keys here; what belongs to the document alone has no field.
    if (field === undefined || name === 'group_id' || name === 'depends_on') return true;
    if (!takes(definition, field.group)) return false;
    const schema = schemaOf(definition, name as FieldName);
    const { success, error } = schema.safeParse(withoutSecrets(value));
    if (!success)
      notes.change(
        `Its ${name} is left out, since it ${error.issues[0]?.message ?? 'is refused'}.`,
      );
    return success;
  });
  return Object.fromEntries(accepted);
}

/** Private addresses are for the operator to allow, or for probes of the team inside the network. */
function remarkOnAddress(url: unknown, notes: Notes): void {
  const host = typeof url === 'string' ? canonicalHostOf(url) : null;
  if (host === null) return;
  const isPublic = !ipaddr.isValid(host) || ipaddr.process(host).range() === 'unicast';
  if (isPublic && host !== 'localhost' && !host.endsWith('.localhost')) return;
  notes.remark(
    `${cut(host, 100)} is no public address: ALLOW_PRIVATE_TARGETS must allow it, or a region of your own must check it.`,
  );
}
