import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { StrengthAnswer, StrengthRequest } from './password-strength-worker.ts';
import { clientOf } from './rate-limits.ts';

export const PASSWORD_LENGTH = { minimum: 8, maximum: 128 };

export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(stored: { hash: string; password: string }): Promise<boolean>;
}

/** better-auth's scrypt, which takes 70 ms of CPU on purpose. Loaded on first use. */
export const SCRYPT: PasswordHashing = {
  hash: hashPassword,
  async verify(stored) {
    const { verifyPassword } = await import('better-auth/crypto');
    return verifyPassword(stored);
  },
};

/** Hashes a password by scrypt with a random salt, in better-auth's format. */
export async function hashPassword(password: string): Promise<string> {
  const { hashPassword: hash } = await import('better-auth/crypto');
  return hash(password);
}

export class TooManyPasswords extends Error {
  override readonly name = 'TooManyPasswords';
  override readonly message =
    'Too many people are signing in at the moment. Try again in a few seconds.';
}

export interface PasswordOwner {
  /** Lower case. */
  email: string;
  /** Names of the person and the team, where they are known. */
  names?: readonly (string | null | undefined)[];
}

/**
 * Problem of a new password as the predicate of a sentence (`must have …`); null for a valid one. Checks length,
 * similarity to the person, and how easy it is to guess; requires no kinds of characters (NIST SP 800-63B, section
 * 3.1.1.2).
 */
export async function passwordProblem(password: string, { email, names = [] }: PasswordOwner) {
  const { minimum, maximum } = PASSWORD_LENGTH;
  const length = [...password].length;
  if (length < minimum || length > maximum) {
    return `must have ${minimum} to ${maximum} characters`;
  }
  const plain = password.toLowerCase();
  const isOfAddress = plain === email || plain === email.split('@')[0];
  if (isOfAddress) return "must not be the person's own e-mail address or name";
  if (new Set(plain).size < 3) return 'must have more than two different characters';
  const known = names.filter((name) => typeof name === 'string');
  const weakness = await passwordWeakness(password, [email, ...known]);
  return weakness === null
    ? null
    : `must be harder to guess (${weakness}): use several words that have nothing to do with each other, or let a password manager make one`;
}

/** Least score of an acceptable password: more than 10^8 guesses. */
const MIN_SCORE = 3;
/** Characters that are rated. The time grows with the length, and what follows can't make these easier to guess. */
const MAX_RATED = 48;
/** Time for which the thread waits for another password: people who mistyped or were refused try again soon. */
const IDLE_MS = 60_000;
const MAX_WAITING = 20;
/** Characters of a name or address that are compared; anybody may send them at any length. */
const MAX_KNOWN_LENGTH = 254;
/** Shorter words are part of too many passwords. */
const MIN_WORD_LENGTH = 3;

/** The lists take half of it. */
const LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 };

let thread: Worker | null = null;
let idle: NodeJS.Timeout | undefined;
let unfinished = 0;
let previous: Promise<unknown> = Promise.resolve();

/**
 * Why a password is too easy to guess, as a clause such as `this is a commonly used password`; null when it is not. Rated
 * by zxcvbn against lists of common passwords, names and words, keyboard patterns, dates and repetitions.
 *
 * It runs in a thread of its own, which starts with the first password and ends after a minute without one: the lists
 * take 60 MiB and half a second to load, and some passwords a second to rate.
 *
 * @param known what somebody who guesses knows of the person: name, address, team.
 */
async function passwordWeakness(password: string, known: readonly string[]) {
  if (unfinished >= MAX_WAITING) throw new TooManyPasswords();
  unfinished += 1;
  const turn = previous.then(() => ask({ password: rated(password), words: wordsOf(known) }));
  previous = turn.catch(() => {});
  try {
    const { score, warning } = await turn;
    return score >= MIN_SCORE ? null : clauseOf(warning);
  } finally {
    unfinished -= 1;
  }
}

/** Rates one password; an error in the thread ends it, and the next password starts another. */
async function ask(request: StrengthRequest): Promise<StrengthAnswer> {
  clearTimeout(idle);
  const worker = (thread ??= start());
  // The process must not end before the answer, and may end while the thread is idle.
  worker.ref();
  try {
    const answered = once(worker, 'message');
    worker.postMessage(request);
    const [answer] = (await answered) as [StrengthAnswer];
    return answer;
  } catch (error) {
    stop(worker);
    throw error;
  } finally {
    worker.unref();
    idle = setTimeout(() => stop(worker), IDLE_MS).unref();
  }
}

function start(): Worker {
  const url = new URL('./password-strength-worker.ts', import.meta.url);
  const worker = new Worker(url, { resourceLimits: LIMITS });
  return worker.on('error', () => stop(worker));
}

function stop(worker: Worker): void {
  if (thread === worker) thread = null;
  void worker.terminate();
}

function rated(password: string): string {
  return password.slice(0, MAX_RATED);
}

/** The texts themselves, and the words in them. */
function wordsOf(known: readonly string[]): string[] {
  const texts = ['tocsin', ...known].map((text) => text.slice(0, MAX_KNOWN_LENGTH).toLowerCase());
  const words = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  return [...new Set(words)].filter((word) => word.length >= MIN_WORD_LENGTH);
}

function clauseOf(warning: string | null): string {
  if (warning === null) return 'it follows a pattern that is tried early';
  const text = warning.replace(/\.$/, '');
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/**
 * Passwords hashed at a time. Each takes 70 ms of a core and 32 MiB; Node's pool of 4 threads also reads files and
 * looks up names, so that half of it is left to them.
 */
const AT_ONCE = 2;
/** Passwords that may wait: 100 of them take about 4 seconds. */
const MAX_WAITING_IN_QUEUE = 100;
const MAX_WAITING_OF_CLIENT = 20;

/** Password hashing for requests of clients, each with the address it came from. */
export type PasswordQueue = ReturnType<typeof createPasswordQueue>;

/**
 * Limits how many passwords are hashed at a time, so that a flood of sign-ins does not stall others. Clients take turns:
 * one that sends many waits for itself. What exceeds the limits is refused with TooManyPasswords.
 */
export function createPasswordQueue(hashing: PasswordHashing) {
  /** Waiting work by client; the first client is next. */
  const lanes = new Map<string, (() => void)[]>();
  let running = 0;
  let waiting = 0;

  function isFull(address: string | null): boolean {
    const lane = lanes.get(clientOf(address ?? ''));
    return waiting >= MAX_WAITING_IN_QUEUE || (lane?.length ?? 0) >= MAX_WAITING_OF_CLIENT;
  }

  async function run<Value>(address: string | null, work: () => Promise<Value>): Promise<Value> {
    if (running < AT_ONCE) running += 1;
    else {
      if (isFull(address)) throw new TooManyPasswords();
      await slot(clientOf(address ?? ''));
    }
    try {
      return await work();
    } finally {
      passOn();
    }
  }

  function slot(client: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const lane = lanes.get(client);
    if (lane === undefined) lanes.set(client, [resolve]);
    else lane.push(resolve);
    waiting += 1;
    return promise;
  }

  /** Hands a finished slot to the next client, which then goes to the end. */
  function passOn(): void {
    const [next] = lanes;
    if (next === undefined) {
      running -= 1;
      return;
    }
    const [client, [begin, ...others]] = next;
    lanes.delete(client);
    if (others.length > 0) lanes.set(client, others);
    waiting -= 1;
    begin!();
  }

  return {
    hash: (password: string, address: string | null) => run(address, () => hashing.hash(password)),
    verify: (stored: { hash: string; password: string }, address: string | null) =>
      run(address, () => hashing.verify(stored)),
    isFull,
  };
}
