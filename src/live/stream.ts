import type { RecentPing, Since } from '../store/engine/recent-rounds.ts';
import type { StoredRound } from '../store/engine/result-history.ts';
import { eventText, viewPing, viewRound, type ChangeEvent, type EventName } from './events.ts';
import { changesText, seenText, type Position } from './position.ts';

export type Progress = Pick<Position, 'after' | 'known'>;

/** An event whose id says where in the log of changes its client is after it. */
export interface PlacedEvent extends Omit<ChangeEvent, 'id'> {
  place: string;
}

/** A monitor whose results or pings a client gets. */
interface Watched {
  isPush: boolean;
  /** Newest time of a round (epoch ms), or number of a ping, that was sent. */
  newest: number;
  /** Rounds that started at or before this time are not sent. */
  floor: number;
  /** Starts of rounds that were sent, as far as they are read again. */
  sent: Set<number>;
}

/**
 * Time before the newest round in which others are looked for: one that began earlier and took longer, such as a check
 * that a person asked for, is stored later.
 */
export const OVERLAP_MS = 120_000;

/** Time after which a client that lost its connection opens another one. */
const RETRY_MS = 2_000;
/** Maximum length of one text that is handed to the network. */
const PIECE_LENGTH = 64 * 1024;

/** Stream of events of one client. Its texts wait until it is connected. */
export class LiveStream {
  readonly teamId: number;
  readonly hides: (event: Pick<PlacedEvent, 'name' | 'data'>) => boolean;
  /** Streams of a team with the same one leave out the same events. */
  readonly audience: string;
  readonly watched = new Map<number, Watched>();
  readonly #onClose: (stream: LiveStream) => void;
  readonly #onSent: (events: number) => void;
  #waiting: string[] = [];
  #send: ((text: string) => void) | null = null;
  /** False until what was missed is read: until then newer events wait. */
  #isReady = false;
  #held: (() => void)[] = [];
  #place: string;

  constructor(options: {
    teamId: number;
    audience: string;
    hides: LiveStream['hides'];
    place: string;
    onClose: (stream: LiveStream) => void;
    onSent: (events: number) => void;
  }) {
    this.teamId = options.teamId;
    this.audience = options.audience;
    this.hides = options.hides;
    this.#place = options.place;
    this.#onClose = options.onClose;
    this.#onSent = options.onSent;
  }

  /** Sends all texts so far, and further ones as they come. */
  connect(send: (text: string) => void): void {
    this.#send = send;
    for (const text of this.#waiting.splice(0)) send(text);
  }

  close(): void {
    this.#onClose(this);
  }

  /** Sends an event at the current place. */
  write(name: EventName, data: object): void {
    this.#put(`${eventText(name, data)}id: ${this.#position()}\n\n`, 1);
  }

  /** Begins with the events that `first` writes; those that came meanwhile follow. */
  start(first: () => void): void {
    this.#isReady = true;
    this.#put(`retry: ${RETRY_MS}\n\n`, 0);
    first();
    for (const push of this.#held.splice(0)) push();
  }

  /**
   * Sends events about changes.
   *
   * @param pieces their texts, which streams of one team and audience share unless they name monitors.
   */
  push(events: readonly PlacedEvent[], pieces: () => readonly string[]): void {
    if (!this.#isReady) return void this.#held.push(() => this.push(events, pieces));
    const last = events.at(-1);
    if (last === undefined) return;
    const texts = this.watched.size === 0 ? pieces() : piecesOf(events, seenText(this.#seen()));
    for (const text of texts) this.#put(text, 0);
    this.#onSent(events.length);
    this.#place = last.place;
  }

  moveTo(place: string): void {
    if (this.#isReady) this.#place = place;
    else this.#held.push(() => this.moveTo(place));
  }

  /** Sends the rounds that it has not sent. @param rounds by their start. */
  pushRounds(rounds: readonly StoredRound[]): void {
    if (!this.#isReady) return void this.#held.push(() => this.pushRounds(rounds));
    for (const round of rounds) {
      const watched = this.watched.get(round.monitorId);
      if (watched === undefined || !isNewRound(watched, round.startedAt)) continue;
      note(watched, round.startedAt);
      this.write('result', viewRound(round));
    }
  }

  /** Sends the pings that it has not sent. @param pings by their number. */
  pushPings(pings: readonly RecentPing[]): void {
    if (!this.#isReady) return void this.#held.push(() => this.pushPings(pings));
    for (const ping of pings) {
      const watched = this.watched.get(ping.monitorId);
      if (watched === undefined || ping.number <= watched.newest) continue;
      watched.newest = ping.number;
      this.write('ping', viewPing(ping));
    }
  }

  /** Notes rounds that are known to the client already. */
  skipRounds(rounds: readonly StoredRound[]): void {
    for (const { monitorId, startedAt } of rounds) note(this.watched.get(monitorId)!, startedAt);
  }

  /** From where its monitors of that kind are read. */
  wanted(isPush: boolean): Since[] {
    return [...this.watched]
      .filter(([, one]) => one.isPush === isPush)
      .map(([monitorId, { newest, floor }]) => ({
        monitorId,
        after: isPush ? newest : Math.max(floor, newest - OVERLAP_MS),
      }));
  }

  /**
   * Event that keeps the connection open, with the place of the client, so that a quiet stream can be resumed after hours.
   * It is not a comment, which EventSource does not show: a browser knows by it that its connection is not dead. Before
   * `hello`, the first event, it is a comment.
   */
  keepAlive(place: string): void {
    if (!this.#isReady) return this.#put(': keep-alive\n\n', 0);
    this.#place = place;
    this.#put(`${eventText('alive', {})}id: ${this.#position()}\n\n`, 0);
  }

  #put(text: string, events: number): void {
    if (events > 0) this.#onSent(events);
    if (this.#send === null) this.#waiting.push(text);
    else this.#send(text);
  }

  #position(): string {
    return this.#place + seenText(this.#seen());
  }

  #seen(): Map<number, number> {
    return new Map([...this.watched].map(([id, { newest }]) => [id, newest]));
  }
}

/** Texts of events of at most some length each, so that a slow client keeps little in memory. */
export function piecesOf(events: readonly PlacedEvent[], seen = ''): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const { name, data, place } of events) {
    piece += `${eventText(name, data)}id: ${place}${seen}\n\n`;
    if (piece.length < PIECE_LENGTH) continue;
    pieces.push(piece);
    piece = '';
  }
  return piece === '' ? pieces : [...pieces, piece];
}

/**
 * Adds to each event the place after it: within a read, what was sent of it; after its last event, `to`.
 *
 * @param until state of the log at the read.
 */
export function placeEvents(
  events: readonly ChangeEvent[],
  { at, from, until, to }: { at: number; from: Progress; until: string; to: Progress },
): PlacedEvent[] {
  return events.map(({ name, data, id }, index) => {
    const isLast = index === events.length - 1;
    const others = from.known.filter((one) => one.until !== until);
    const within = { after: from.after, known: [...others, { until, id }] };
    return { name, data, place: changesText({ at, ...(isLast ? to : within) }) };
  });
}

const isNewRound = ({ floor, sent }: Watched, startedAt: number) =>
  startedAt > floor && !sent.has(startedAt);

function note(watched: Watched, startedAt: number): void {
  watched.sent.add(startedAt);
  watched.newest = Math.max(watched.newest, startedAt);
  for (const start of watched.sent) {
    if (start < watched.newest - OVERLAP_MS) watched.sent.delete(start);
  }
}
