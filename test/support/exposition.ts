/** A sample of a metric. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Family {
  type: string;
  help: string;
  samples: Sample[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;
const SUFFIXES: Record<string, readonly string[]> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/**
 * Parses the text format of Prometheus (version 0.0.4), and throws for what `promtool check metrics` would reject: samples
 * without HELP or TYPE, families that are torn apart, duplicates, bad names, labels or values, and counters or gauges with
 * the wrong suffix.
 */
export function parseExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The text does not end with a line feed.');
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let current: string | null = null;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      if (families.has(name)) throw new Error(`${name} has HELP twice.`);
      if (!NAME.test(name) || rest === '') throw new Error(`${line} is no help.`);
      families.set(name, { type: '', help: rest, samples: [] });
      current = name;
      continue;
    }
    const family = current === null ? undefined : families.get(current);
    if (family === undefined) throw new Error(`${line} stands before HELP.`);
    if (kind === 'TYPE') {
      if (name !== current || family.type !== '') throw new Error(`${line} is out of place.`);
      lint(name, rest);
      family.type = rest;
      continue;
    }
    const sample = sampleOf(line);
    const names = SUFFIXES[family.type] ?? [''];
    if (family.type === '' || !names.some((suffix) => sample.name === `${current}${suffix}`))
      throw new Error(`${line} is not of ${current}.`);
    const key = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).toSorted())}`;
    if (seen.has(key)) throw new Error(`${line} comes twice.`);
    seen.add(key);
    family.samples.push(sample);
  }
  return families;
}

function lint(name: string, type: string): void {
  if (!['counter', 'gauge', 'histogram', 'summary'].includes(type))
    throw new Error(`${name} has the type ${type}.`);
  if ((type === 'counter') !== name.endsWith('_total'))
    throw new Error(`${name} is a ${type}: counters alone end with _total.`);
  if (/_(milliseconds|ms|minutes|kilobytes|count|sum|bucket)$/.test(name))
    throw new Error(`${name} has a suffix that means something else.`);
}

function sampleOf(line: string): Sample {
  const [, name = '', , written = '', text = ''] =
    /^([^{ ]+)(\{(.*)\})? ([^ ]+)( -?\d+)?$/.exec(line) ?? [];
  const value = /^[+-]Inf$/.test(text) ? Number(`${text}inity`) : Number(text);
  if (!NAME.test(name) || text === '' || (Number.isNaN(value) && !/^nan$/i.test(text)))
    throw new Error(`${line} is no sample.`);
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < written.length) {
    const match = LABEL.exec(written);
    const [, label = '', escaped = ''] = match ?? [];
    if (match === null || label in labels) throw new Error(`${line} has bad labels.`);
    labels[label] = escaped.replace(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one));
  }
  return { name, labels, value };
}
