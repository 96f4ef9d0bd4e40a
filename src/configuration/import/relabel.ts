import { RE2JS } from 're2js';
import { patternSize } from '../../monitor-types/content-settings.ts';
import { listOf, objectOf, textOf, type Given } from './values.ts';

export type Labels = Readonly<Record<string, string>>;

/** Longer patterns, and more of them, than people write take long. */
const MAX_PATTERN = { length: 500, size: 1_000 };
const MAX_CONFIGS = 100;
/** Of a label and of a replacement: each step could double one. */
const MAX_TEXT = 2_000;

/**
 * Compiles the relabeling of Prometheus (`replace`, `keep`, `drop`, `lowercase` and `uppercase`; other actions change
 * nothing here): https://prometheus.io/docs/prometheus/latest/configuration/configuration/#relabel_config.
 *
 * @returns the labels of a target after it; null for one that is dropped.
 */
export function relabeling(configs: unknown): (labels: Labels) => Labels | null {
  const steps = listOf(configs).slice(0, MAX_CONFIGS).map(objectOf).map(stepOf);
  return (labels) => {
    const result = new Map<string, string>();
    for (const [name, value] of Object.entries(labels)) result.set(name, value.slice(0, MAX_TEXT));
    for (const step of steps) {
      const { action, target, replacement } = step;
      const values = step.sources.map((name) => result.get(name) ?? '');
      const value = values.join(step.separator).slice(0, MAX_TEXT);
      const groups = groupsOf(step.pattern, value);
      if ((action === 'keep' && groups === null) || (action === 'drop' && groups !== null))
        return null;
      if (target === undefined) continue;
      if (action === 'lowercase') result.set(target, value.toLowerCase());
      if (action === 'uppercase') result.set(target, value.toUpperCase());
      if (action === 'replace' && groups !== null)
        result.set(expanded(target, groups), expanded(replacement, groups));
    }
    return Object.fromEntries(result);
  };
}

/** One step of relabeling. The operator of Kubernetes writes the names in camel case. */
function stepOf(config: Given) {
  const names = config['source_labels'] ?? config['sourceLabels'];
  return {
    action: textOf(config['action'])?.toLowerCase() ?? 'replace',
    sources: listOf(names)
      .slice(0, MAX_CONFIGS)
      .map((name) => textOf(name) ?? ''),
    separator: (textOf(config['separator']) ?? ';').slice(0, MAX_TEXT),
    pattern: compiled(textOf(config['regex']) ?? '(.*)'),
    target: textOf(config['target_label'] ?? config['targetLabel'])?.slice(0, MAX_TEXT),
    replacement: (textOf(config['replacement']) ?? '$1').slice(0, MAX_TEXT),
  };
}

/** Null for a pattern that can't be read, which matches nothing. */
function compiled(pattern: string): RE2JS | null {
  if (pattern.length > MAX_PATTERN.length || patternSize(pattern) > MAX_PATTERN.size) return null;
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch {
    return null;
  }
}

/** The groups of a pattern that matches the whole text; null where it does not. */
function groupsOf(pattern: RE2JS | null, text: string): (string | null)[] | null {
  const matcher = pattern?.matcher(text);
  if (!matcher?.matches()) return null;
  return Array.from({ length: matcher.groupCount() + 1 }, (_, index) => matcher.group(index));
}

/** A text in which `$1` and `${1}` stand for groups. */
function expanded(text: string, groups: readonly (string | null)[]): string {
  const whole = text.replace(/\$(?:\{(\d+)\}|(\d+))/g, (_, braced?: string, bare?: string) => {
    return groups[Number(braced ?? bare)] ?? '';
  });
  return whole.slice(0, MAX_TEXT);
}
