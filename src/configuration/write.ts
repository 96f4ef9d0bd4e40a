import { Document, isMap, isScalar, visit } from 'yaml';
import { variableOf } from './keys.ts';
import {
  isSecretValue,
  SECTIONS,
  type ConfigurationDocument,
  type SecretValue,
} from './document.ts';

/** A secret of a document, and the variable that a file names in its place. */
export interface NamedSecret {
  variable: string;
  /** Null where the document does not have it. */
  value: string | null;
}

export interface WrittenConfiguration {
  /** YAML, which `loadConfiguration` reads as the same document. */
  text: string;
  /** By the names of their variables. */
  secrets: NamedSecret[];
}

/** Writes a document as a file. Pure. A secret becomes a reference: `{env: NAME}`, or `{file: path}` if it came from there. */
export function writeConfiguration(document: ConfigurationDocument): WrittenConfiguration {
  const secrets = new Map<string, string | null>();

  function withReferences(value: unknown, path: readonly string[]): unknown {
    if (Array.isArray(value)) {
      return value.map((one, index) => withReferences(one, [...path, String(index)]));
    }
    if (typeof value !== 'object' || value === null) return value;
    if (isSecretValue(value)) return referenceTo(value, path);
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, withReferences(one, [...path, name])]),
    );
  }

  function referenceTo({ from, value: text }: SecretValue, path: readonly string[]) {
    const value = text ?? null;
    const [, kind, target = ''] = /^(env|file) (.+)$/.exec(from) ?? [];
    if (kind === 'file' && value === null) return { file: target };
    const isNamed = kind === 'env' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(target);
    const wanted = isNamed ? target : variableOf(path);
    const isFree = (name: string) => !secrets.has(name) || (isNamed && secrets.get(name) === value);
    let variable = wanted;
    for (let number = 2; !isFree(variable); number++) variable = `${wanted}_${number}`;
    secrets.set(variable, value);
    return { env: variable };
  }

  const sections = SECTIONS.filter((section) => document[section] !== undefined).map((section) => {
    const items = document[section]!.map(({ key, ...fields }) => {
      const written = withReferences(fields, [key]) as object;
      return { key, ...written };
    });
    return [section, items] as const;
  });
  const written = new Document(
    { name: document.name, ...Object.fromEntries(sections) },
    {
      aliasDuplicateObjects: false,
    },
  );
  visit(written, {
    Pair(_, { key }, path) {
      if (isScalar(key) && path.length === 2) key.spaceBefore = key.value !== 'name';
    },
    Map(_, node) {
      const [only] = node.items;
      const name = node.items.length === 1 && isScalar(only?.key) ? only.key.value : null;
      node.flow = (name === 'env' || name === 'file') && !isMap(only!.value);
    },
  });
  return {
    text: written.toString({ lineWidth: 0, flowCollectionPadding: false }),
    secrets: [...secrets].map(([variable, value]) => ({ variable, value })),
  };
}
