import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { PAGE_NOW, pageFacts, serviceFacts } from '../../../test/support/page-facts.ts';
import type { PageLanguage, ServiceFacts } from '../facts/model.ts';
import { renderBadge } from './badge.ts';

const OLD = PAGE_NOW - 3_600_000;

/** The accessible name of a badge. */
function nameOf(svg: string): string {
  let name = '';
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (tag === 'svg') name = attributes['aria-label']!;
      },
    },
    { xmlMode: true },
  );
  parser.end(svg);
  return name;
}

describe('badges', () => {
  it.each<[changes: Partial<ServiceFacts>, status: string, uptime: string]>([
    [{}, 'Up', '100% up'],
    [
      { status: 'offline', uptimePercent: 99.95, observedPercent: 95.2 },
      'Down',
      '99.95% up · 95.2% observed',
    ],
    [{ status: 'degraded', uptimePercent: 99.9996 }, 'Degraded', '99.999% up'],
    [{ maintenanceUntil: PAGE_NOW + 1 }, 'Maintenance', '100% up'],
    [{ observedUntil: OLD, observedPercent: 99.6 }, 'Not observed', '100% up'],
    [{ isPaused: true }, 'Paused', '100% up'],
    [
      { status: 'pending', observedUntil: null, uptimePercent: null },
      'Waiting for the first check',
      'No figure yet',
    ],
  ])('tell status and uptime of a service: %j [42.55]', (changes, status, uptime) => {
    const service = serviceFacts('API', changes);
    const facts = pageFacts([serviceFacts('Other', { status: 'offline' }), service]);
    const { monitorId } = service;
    expect(nameOf(renderBadge(facts, { kind: 'status', monitorId }, PAGE_NOW))).toBe(
      `API: ${status}`,
    );
    expect(nameOf(renderBadge(facts, { kind: 'uptime', monitorId }, PAGE_NOW))).toBe(
      `API: ${uptime}`,
    );
  });

  it('tell the state of a page, and the mean of its services [42.55]', () => {
    const facts = pageFacts([
      serviceFacts('A', { uptimePercent: 99, observedPercent: 90 }),
      serviceFacts('B', { status: 'offline' }),
    ]);
    expect(nameOf(renderBadge(facts, { kind: 'status', monitorId: null }, PAGE_NOW))).toBe(
      'Northwind: Down',
    );
    expect(nameOf(renderBadge(facts, { kind: 'uptime', monitorId: null }, PAGE_NOW))).toBe(
      'Northwind: 99.5% up · 95% observed',
    );
    const words = { kind: 'status', monitorId: null, label: '<b>&'.repeat(20) } as const;
    expect(nameOf(renderBadge(facts, words, PAGE_NOW))).toBe(
      `${'<b>&'.repeat(10).slice(0, 39)}…: Down`,
    );
  });

  it('tell no uptime that the page does not show [42.55]', () => {
    const { settings } = pageFacts([]).page;
    const facts = pageFacts([serviceFacts('A')], {
      page: { settings: { ...settings, show_uptime_percentage: false } },
    });
    expect(nameOf(renderBadge(facts, { kind: 'uptime', monitorId: null }, PAGE_NOW))).toBe(
      'Northwind: No figure yet',
    );
  });

  it.each<[language: PageLanguage, status: string]>([
    ['de', 'Ausgefallen'],
    ['fr', 'En panne'],
    ['es', 'No funciona'],
    ['pt', 'Fora do ar'],
    ['it', 'Non funziona'],
    ['nl', 'Onbereikbaar'],
    ['ja', '停止'],
    ['zh-CN', '无法访问'],
  ])('speak %s [42.55]', (language, status) => {
    const facts = pageFacts([serviceFacts('A', { status: 'offline' })], { page: { language } });
    expect(nameOf(renderBadge(facts, { kind: 'status', monitorId: null }, PAGE_NOW))).toBe(
      `Northwind: ${status}`,
    );
  });

  it('shorten long names and escape what is in them [42.55]', () => {
    const facts = pageFacts([], { page: { name: `<b>"&\u0007\uFFFE${'x'.repeat(60)}` } });
    const svg = renderBadge(facts, { kind: 'status', monitorId: null }, PAGE_NOW);
    expect(nameOf(svg)).toMatch(/^<b>"&x{34}…: /);
    expect(svg).not.toContain('<b>');
    expect(svg).not.toContain('\uFFFE');
  });
});
