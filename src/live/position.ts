interface KnownChanges {
  until: string;
  id: number;
}

/** Place in a stream of events: what its client has got so far. */
export interface Position {
  /** Epoch milliseconds at which it was sent. Older ones than the log of changes reaches back are of no use. */
  at: number;
  /** Changes up to this state of the log were sent (store/resources/live-changes.ts). */
  after: string;
  /** Of the changes up to `until`, those with ids up to `id` were sent too: reads that the client got a part of. */
  known: readonly KnownChanges[];
  /** By monitor that the client named, the time or number of the newest result or ping that was sent. */
  seen: ReadonlyMap<number, number>;
}

/** Reads that a position may hold; one that was cut off more often in a row is not resumed. */
export const MAX_KNOWN = 4;

const MARK = String.raw`[\d:,]{1,8000}`;
const FORM = new RegExp(
  String.raw`^([0-9a-z]{1,9});(${MARK})((?:;${MARK}/\d{1,15}){0,${MAX_KNOWN}})((?:;\d{1,15}=[0-9a-z]{1,10}){0,5})$`,
);

/**
 * Text of a position, as the id of an event, but for `seenText`: streams of a team share this part. It has visible ASCII
 * characters only, for the header Last-Event-ID.
 */
export function changesText({ at, after, known }: Omit<Position, 'seen'>): string {
  return `${at.toString(36)};${after}${known.map(({ until, id }) => `;${until}/${id}`).join('')}`;
}

/** The part about the monitors that a client named. */
export function seenText(seen: Position['seen']): string {
  return [...seen].map(([id, value]) => `;${id}=${value.toString(36)}`).join('');
}

export function readPosition(text: string): Position | null {
  const found = FORM.exec(text);
  if (found === null) return null;
  const [, at = '', after = '', known = '', seen = ''] = found;
  const parts = [...known.matchAll(/;([^;/]+)\/(\d+)/g)];
  const entries = [...seen.matchAll(/;(\d+)=(\w+)/g)].map(
    ([, monitor, value]) => [Number(monitor), Number.parseInt(value!, 36)] as const,
  );
  return {
    at: Number.parseInt(at, 36),
    after,
    known: parts.map(([, until, id]) => ({ until: until!, id: Number(id) })),
    seen: new Map(entries),
  };
}
