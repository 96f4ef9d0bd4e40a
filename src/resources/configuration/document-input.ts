import {
  ITEM_KEY,
  MAX_ITEMS,
  MAX_KEY_LENGTH,
  SECTIONS,
  SET_NAME,
  type Section,
} from '../../configuration/document.ts';
import type { Findings } from '../common/input.ts';
import { isTree } from './secrets.ts';

/** An item of a document, and where it is: errors name this place. */
export interface Item {
  section: Section;
  /** Such as `monitors.3`. */
  at: string;
  key: string;
  /** All but its key. */
  fields: Readonly<Record<string, unknown>>;
}

const MAX_NAME_LENGTH = 60;
const KEY_FORM = `must be 1 to ${MAX_KEY_LENGTH} lower-case letters, digits, dots, hyphens and underscores, beginning and ending with a letter or digit`;

/** Reads the form of a document; what its items ask for is read later. Adds what is wrong with it. */
export function readDocument(document: Readonly<Record<string, unknown>>, findings: Findings) {
  const { name } = document;
  const isName = typeof name === 'string' && SET_NAME.test(name) && name.length <= MAX_NAME_LENGTH;
  if (!isName)
    findings.add(
      'name',
      `must be the name of the set: 1 to ${MAX_NAME_LENGTH} lower-case letters, digits and hyphens`,
    );
  const items: Item[] = [];
  for (const section of Object.keys(document)) {
    if (section === 'name') continue;
    const list = document[section];
    if (list === null || list === undefined) continue;
    if (!(SECTIONS as readonly string[]).includes(section))
      findings.add(section, `is no part of a set: use ${SECTIONS.join(', ')}`);
    else if (!Array.isArray(list)) findings.add(section, 'must be a list of items with a key each');
    else items.push(...readSection(section as Section, list, findings));
  }
  if (items.length > MAX_ITEMS)
    findings.add('items', `must not be more than ${MAX_ITEMS.toLocaleString('en-US')} in a set`);
  return { name: isName ? name : '', items };
}

function readSection(section: Section, list: readonly unknown[], findings: Findings): Item[] {
  const seen = new Map<string, string>();
  return list.flatMap((one, index) => {
    const at = `${section}.${index}`;
    if (!isTree(one) || Array.isArray(one)) {
      findings.add(at, 'must be an item: a key and fields');
      return [];
    }
    const { key, ...fields } = one;
    const text = typeof key === 'number' ? String(key) : key;
    if (typeof text !== 'string' || !ITEM_KEY.test(text) || text.length > MAX_KEY_LENGTH) {
      findings.add(`${at}.key`, text === undefined ? `is missing: it ${KEY_FORM}` : KEY_FORM);
      return [];
    }
    const former = seen.get(text);
    if (former !== undefined) {
      findings.add(`${at}.key`, `must be unique among ${section}: ${former} has "${text}" already`);
      return [];
    }
    seen.set(text, at);
    return [{ section, at, key: text, fields }];
  });
}
