/** Paths of the icons on a grid of 16. */
const PATHS = {
  monitors: ['M1.8 8.5h2.7l1.9-5 3 9.2 2-4.2h2.8'],
  incidents: ['M8 2.2 14.2 13H1.8z', 'M8 6.4v3M8 11.3v.1'],
  pages: [
    'M4 2.5h8a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2z',
    'M2 6h12M5 9h3M5 11h5',
  ],
  reports: ['M2.5 13.5v-11M2.5 13.5h11M5.5 11V8M8.5 11V5M11.5 11V7'],
  maintenance: [
    'M10.6 2.4a3.4 3.4 0 0 0-4 4.6L2.4 11.2a1.6 1.6 0 0 0 2.3 2.3l4.2-4.2a3.4 3.4 0 0 0 4.6-4L11.3 7.5 8.7 6.9 8.4 4.6z',
  ],
  groups: ['M2 4.5a1 1 0 0 1 1-1h3l1.5 1.8H13a1 1 0 0 1 1 1v5.2a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z'],
  channels: [
    'M8 2.3c-2.3 0-3.7 1.7-3.7 3.9 0 3.1-1.3 4-1.3 4.6h10c0-.6-1.3-1.5-1.3-4.6 0-2.2-1.4-3.9-3.7-3.9z',
    'M6.6 13a1.5 1.5 0 0 0 2.8 0',
  ],
  routes: ['M2.5 4h4l3 8h4M2.5 12h4l1-2.5M9.5 6.5l1-2.5h3', 'm11.5 2 2 2-2 2M11.5 10l2 2-2 2'],
  webhooks: [
    'M6 5.2a2.2 2.2 0 1 1 3 2l1.7 3M4.5 8.2a2.3 2.3 0 1 0 2.3 3.3h3.4',
    'M11.5 10a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z',
  ],
  members: [
    'M6 3.2a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6z',
    'M2 13.2c.2-2.3 1.7-3.7 4-3.7s3.8 1.4 4 3.7M10.5 3.5a2.2 2.2 0 0 1 0 4.1M11.8 9.9c1.3.5 2 1.6 2.2 3.3',
  ],
  settings: [
    'M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6',
    'M10 3a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM6 10a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z',
  ],
  configuration: ['M4 2.5h5l3 3v8H4z', 'M9 2.5v3h3M6.5 8.5h3M6.5 11h3'],
  audit: ['M3.5 2.5h9v11h-9z', 'M6 5.5h4M6 8h4M6 10.5h2.5'],
  plan: ['M2 4.5h12v7H2z', 'M2 7h12M4.5 9.5h2'],
  server: ['M2.5 3h11v4h-11zM2.5 9h11v4h-11z', 'M5 5h.01M5 11h.01'],
  person: [
    'M8 2.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4z',
    'M3 13.5c.3-2.6 2.2-4 5-4s4.7 1.4 5 4',
  ],
  search: ['M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z', 'm10.4 10.4 3.3 3.3'],
  plus: ['M8 3v10M3 8h10'],
  minus: ['M3 8h10'],
  check: ['m3 8.5 3.2 3.2L13 4.8'],
  cross: ['m4 4 8 8M12 4l-8 8'],
  globe: [
    'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z',
    'M1.8 8h12.4M8 1.8c3.4 3.6 3.4 8.8 0 12.4-3.4-3.6-3.4-8.8 0-12.4z',
  ],
  down: ['m5 6.5 3 3 3-3'],
  up: ['m5 9.5 3-3 3 3'],
  right: ['m6.5 5 3 3-3 3'],
  left: ['m9.5 5-3 3 3 3'],
  external: [
    'M9.5 2.5h4v4M13.5 2.5 7.5 8.5M11.5 9.5v3a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1h3',
  ],
  play: ['M4.5 3v10l8-5z'],
  pause: ['M5.5 3v10M10.5 3v10'],
  sort: ['M4.5 3v10M2.5 11l2 2 2-2M8.5 4h5M8.5 8h3.5M8.5 12h2'],
  copy: ['M5.5 5.5h8v8h-8z', 'M10.5 5.5v-3h-8v8h3'],
  calendar: ['M2.5 4h11v9.5h-11z', 'M2.5 7h11M5.5 2.3v3M10.5 2.3v3'],
  edit: ['m3 13 .6-2.8 7.2-7.2 2.2 2.2-7.2 7.2z'],
  trash: ['M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9'],
  refresh: ['M13 8a5 5 0 1 1-1.6-3.7M13 2.5v2.5h-2.5'],
  download: ['M8 2.5v7.5M4.8 7 8 10.2 11.2 7M2.5 13.5h11'],
  clock: ['M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z', 'M8 4.5V8l2.5 1.5'],
  key: ['M10.5 2.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6z', 'm8.2 7.6-5.7 5.7M4 12l1.5 1.5M6 10l1.5 1.5'],
  keyboard: ['M1.5 4h13v8.5h-13z', 'M4 6.8h.01M6.7 6.8h.01M9.3 6.8h.01M12 6.8h.01M4.5 9.8h7'],
  menu: ['M2.5 4.5h11M2.5 8h11M2.5 11.5h11'],
  lock: ['M3.5 7h9v6.5h-9z', 'M5.5 7V5a2.5 2.5 0 0 1 5 0v2'],
  out: ['M9.5 2.5h-6v11h6M6.5 8h7M11 5.5 13.5 8 11 10.5'],
} satisfies Record<string, readonly string[]>;

export type IconName = keyof typeof PATHS | 'more';

/** Icon beside a word, or in a button that has a label: screen readers skip it. */
export function Icon({ name }: { name: IconName }) {
  if (name === 'more') {
    return (
      <svg className="i" viewBox="0 0 16 16" aria-hidden="true">
        <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2.4" />
      </svg>
    );
  }
  return (
    <svg className="i" viewBox="0 0 16 16" aria-hidden="true">
      {PATHS[name].map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}
