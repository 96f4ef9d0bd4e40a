/** Connection of a client to a stream of events. */
export interface EventConnection {
  /** Sends a comment, so that nobody takes the connection for dead. */
  keepAlive(): void;
  /** Ends the stream; no more texts follow. */
  close(): void;
}

/** A response that does not end: server-sent events (WHATWG HTML, section 9.2). It is connected or cancelled once. */
export class EventStream {
  /** @param send receives the texts of events, the first ones at once. */
  readonly connect: (send: (text: string) => void) => EventConnection;
  /** Gives up a stream that is not connected. */
  readonly cancel: () => void;

  constructor(connect: EventStream['connect'], cancel: () => void) {
    this.connect = connect;
    this.cancel = cancel;
  }
}
