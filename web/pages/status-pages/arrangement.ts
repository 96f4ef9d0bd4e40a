import type { StatusPage } from '../../app/api.gen.ts';

/** Service of a page while it is edited. */
export interface Service {
  monitorId: number;
  /** Name that visitors see; empty for that of the monitor. */
  label: string;
  display: StatusPage['services'][number]['display'];
  showAutomatic: StatusPage['services'][number]['show_automatic'];
}

/** Services below one heading. The first section has none: its name is null. */
export interface Section {
  /** Stays the same while the section is renamed. */
  key: number;
  name: string | null;
  services: Service[];
}

/** Sections of a stored page. */
export function sectionsOf({
  services,
  groups,
}: Pick<StatusPage, 'services' | 'groups'>): Section[] {
  const all = services.map(({ monitor_id, label, display, show_automatic }) => ({
    monitorId: monitor_id,
    label: label ?? '',
    display,
    showAutomatic: show_automatic,
  }));
  const grouped = new Set(groups.flatMap(({ monitors }) => monitors));
  return [
    { key: 0, name: null, services: all.filter(({ monitorId }) => !grouped.has(monitorId)) },
    ...groups.map(({ name, monitors }, index) => ({
      key: index + 1,
      name,
      services: monitors.flatMap((id) => all.filter(({ monitorId }) => monitorId === id)),
    })),
  ];
}

/** The fields `monitors` and `groups` of the API. A section without services stays a heading only while it is edited. */
export function arrangementOf(sections: readonly Section[]) {
  return {
    monitors: sections.flatMap(({ services }) =>
      services.map(({ monitorId, label, display, showAutomatic }) => ({
        id: monitorId,
        label: label.trim() === '' ? null : label.trim(),
        display,
        show_automatic: showAutomatic,
      })),
    ),
    groups: sections
      .filter(({ name, services }) => name !== null && services.length > 0)
      .map(({ name, services }) => ({
        name: name ?? '',
        monitors: services.map(({ monitorId }) => monitorId),
      })),
  };
}

/** Moves a service one place up or down; at the end of its section into the next one. */
export function step(sections: readonly Section[], monitorId: number, by: -1 | 1): Section[] {
  const at = sections.findIndex(({ services }) => has(services, monitorId));
  if (at < 0) return [...sections];
  const index = sections[at]!.services.findIndex((service) => service.monitorId === monitorId);
  const isInside = index + by >= 0 && index + by < sections[at]!.services.length;
  if (isInside) return place(sections, monitorId, sections[at]!.key, index + by);
  const neighbor = sections[at + by];
  if (neighbor === undefined) return [...sections];
  return place(sections, monitorId, neighbor.key, by < 0 ? neighbor.services.length : 0);
}

/** Puts a service into a section, before the one that is at this index without it. */
export function place(
  sections: readonly Section[],
  monitorId: number,
  key: number,
  index: number,
): Section[] {
  const service = sections
    .flatMap(({ services }) => services)
    .find((candidate) => candidate.monitorId === monitorId);
  if (service === undefined) return [...sections];
  return remove(sections, monitorId).map((section) =>
    section.key === key
      ? { ...section, services: section.services.toSpliced(index, 0, service) }
      : section,
  );
}

/** Takes a service off the page. */
export function remove(sections: readonly Section[], monitorId: number): Section[] {
  return sections.map((section) => ({
    ...section,
    services: section.services.filter((service) => service.monitorId !== monitorId),
  }));
}

/** Makes the services of a page those of these monitors: new ones come last in the first section. */
export function choose(sections: readonly Section[], monitorIds: readonly number[]): Section[] {
  const known = new Set(
    sections.flatMap(({ services }) => services.map((service) => service.monitorId)),
  );
  const added = monitorIds.filter((id) => !known.has(id)).map(newService);
  return sections.map((section, index) => ({
    ...section,
    services: [
      ...section.services.filter(({ monitorId }) => monitorIds.includes(monitorId)),
      ...(index === 0 ? added : []),
    ],
  }));
}

/** Moves a section with a heading one place up or down. The one without stays first. */
export function stepSection(sections: readonly Section[], key: number, by: -1 | 1): Section[] {
  const index = sections.findIndex((section) => section.key === key);
  const to = index + by;
  if (index < 1 || to < 1 || to >= sections.length) return [...sections];
  return sections.toSpliced(index, 1).toSpliced(to, 0, sections[index]!);
}

export function addSection(sections: readonly Section[], name: string): Section[] {
  const key = Math.max(0, ...sections.map((section) => section.key)) + 1;
  return [...sections, { key, name, services: [] }];
}

/** Removes a heading; its services go below the section before it. */
export function removeSection(sections: readonly Section[], key: number): Section[] {
  const index = sections.findIndex((section) => section.key === key);
  if (index < 1) return [...sections];
  const { services } = sections[index]!;
  return sections
    .toSpliced(index, 1)
    .map((section, at) =>
      at === index - 1 ? { ...section, services: [...section.services, ...services] } : section,
    );
}

function newService(monitorId: number): Service {
  return { monitorId, label: '', display: 'bar', showAutomatic: null };
}

function has(services: readonly Service[], monitorId: number): boolean {
  return services.some((service) => service.monitorId === monitorId);
}
