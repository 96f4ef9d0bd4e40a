import { createRequire } from 'node:module';
import type * as BadgeMaker from 'badge-maker';
import { BRAND } from '../../lib/brand.ts';
import { cut, singleLine } from '../../lib/text.ts';
import type { PageFacts, ServiceFacts } from '../facts/model.ts';
import { withoutControls } from '../text/characters.ts';
import { judgedServices, stateOf, type Tone } from './sentence.ts';
import { observedText, showsUptime } from './view.ts';
import { wordsOf, type Words } from './words/index.ts';

const require = createRequire(import.meta.url);

const MAX_LABEL = 40;

/** Colors on which white text has a contrast of at least 4.5:1. */
const COLORS: Record<Tone, string> = {
  up: BRAND['up-text'][0],
  degraded: BRAND['warn-text'][0],
  down: BRAND['down-text'][0],
  maintenance: BRAND['maint-text'][0],
  unknown: BRAND['text-3'][0],
  paused: BRAND['text-3'][0],
};
const LABEL_COLOR = BRAND.inverse[0];

/** Badge of a page, or of one of its services: its status, or its uptime of 90 days. */
export function renderBadge(
  facts: PageFacts,
  query: { kind: 'status' | 'uptime'; monitorId: number | null; label?: string },
  now: number,
): string {
  const { page } = facts;
  const words = wordsOf(page.language);
  const judged = judgedServices(facts, now);
  const one = judged.find(({ service }) => service.monitorId === query.monitorId);
  const { type } = one?.condition ?? { type: null };
  const tone: Tone =
    type === null
      ? stateOf(facts, words, now).tone
      : type === 'unobserved' || type === 'pending'
        ? 'unknown'
        : type;
  const services = one === undefined ? judged.map(({ service }) => service) : [one.service];
  return badgeMaker().makeBadge({
    label: labelOf(query.label ?? one?.service.name ?? page.name),
    message:
      query.kind === 'status'
        ? type === 'pending'
          ? words.service.pending
          : statusOf(tone, words)
        : uptimeOf(services, facts, words),
    color: COLORS[query.kind === 'status' ? tone : 'paused'],
    labelColor: LABEL_COLOR,
    style: 'flat',
  });
}

/** Badge in place of one that does not exist. @param name of the page; null for an unknown page. */
export function renderMissingBadge(name: string | null, words: Words): string {
  return badgeMaker().makeBadge({
    label: labelOf(name ?? ''),
    message: words.notFound.badge,
    color: COLORS.unknown,
    labelColor: LABEL_COLOR,
    style: 'flat',
  });
}

/** badge-maker, which is loaded with the first badge: its table of widths takes 4 MB. */
function badgeMaker(): typeof BadgeMaker {
  return require('badge-maker') as typeof BadgeMaker;
}

function labelOf(name: string): string {
  return cut(singleLine(withoutControls(name)), MAX_LABEL);
}

function statusOf(tone: Tone, { service }: Words): string {
  return tone === 'unknown' ? service.notObserved : service[tone];
}

/** Mean of the services that show their uptime, with the observed share where it is worth mentioning. */
function uptimeOf(services: readonly ServiceFacts[], { page }: PageFacts, words: Words): string {
  const shown = services.filter(
    (service) => service.uptimePercent !== null && showsUptime(service, page),
  );
  if (shown.length === 0) return words.days.noFigure;
  const uptime = meanOf(shown.map(({ uptimePercent }) => uptimePercent!));
  const observed = meanOf(shown.map(({ observedPercent }) => observedPercent ?? 100));
  return [words.days.uptime(words.percent(uptime)), observedText(observed, words)]
    .filter((text) => text !== null)
    .join(' · ');
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
