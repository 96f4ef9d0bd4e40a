import { RE2JS } from 're2js';
import { patternSize } from '../../monitor-types/content-settings.ts';
import { listOf, objectOf, textOf } from './common.ts';

export type Labels = Readonly<Record<string, string>>;

/** Longer patterns than people write take long to compile. */
const MAX_PATTERN = { length: 500, size: 1_000 };

/**
 * Labels after the relabeling of Prometheus (`replace`, `keep`, `drop`, `lowercase` and `uppercase`; other actions change
 * nothing here): https://prometheus.io/docs/prometheus/latest/configuration/configuration/#relabel_config. Null for a
 * target that is dropped.
 */
export function relabeled(labels: Labels, configs: unknown): Labels | null {
  let result: Record<string, string> = { ...labels };
  for (const config of listOf(configs).map(objectOf)) {
    // The operator of Kubernetes writes them in camel case.
    const [sources, target] = [
      listOf(config['source_labels'] ?? config['sourceLabels']).map((name) => textOf(name) ?? ''),
      textOf(config['target_label'] ?? config['targetLabel']),
    ];
    const values = sources.map((name) => (Object.hasOwn(result, name) ? result[name]! : ''));
    const value = values.join(textOf(config['separator']) ?? ';');
    const match = matched(value, textOf(config['regex']) ?? '(.*)');
    const action = textOf(config['action'])?.toLowerCase() ?? 'replace';
    if ((action === 'keep' && match === null) || (action === 'drop' && match !== null)) return null;
    if (target === undefined) continue;
    const replaced =
      action === 'lowercase'
        ? value.toLowerCase()
        : action === 'uppercase'
          ? value.toUpperCase()
          : action === 'replace' && match !== null
            ? expanded(textOf(config['replacement']) ?? '$1', match)
            : null;
    if (replaced !== null) result = { ...result, [expanded(target, match ?? [])]: replaced };
  }
  return result;
}

/** The groups of a pattern that matches the whole text; null where it does not, or can't be read. */
function matched(text: string, pattern: string): (string | null)[] | null {
  if (pattern === '(.*)') return [text, text];
  if (pattern.length > MAX_PATTERN.length || patternSize(pattern) > MAX_PATTERN.size) return null;
  try {
    const matcher = RE2JS.compile(pattern, RE2JS.DOTALL).matcher(text);
    if (!matcher.matches()) return null;
    return Array.from({ length: matcher.groupCount() + 1 }, (_, index) => matcher.group(index));
  } catch {
    return null;
  }
}

/** A text in which `$1` and `${1}` stand for groups. */
function expanded(text: string, groups: readonly (string | null)[]): string {
  return text.replace(/\$(?:\{(\d+)\}|(\d+))/g, (_, braced?: string, bare?: string) => {
    return groups[Number(braced ?? bare)] ?? '';
  });
}
