/*
 * Subjects of the message bus. A probe of region nbg needs permission to subscribe to `tocsin.check.nbg.>`, and to
 * publish to `tocsin.presence.nbg.>` and `tocsin.answer.>`. A server publishes to `tocsin.check.>`, and subscribes to
 * `tocsin.presence.>` and `tocsin.answer.>`.
 */

/** Checks for the probes of a region that hold that key; any one of them takes each message. */
export function checkSubject(region: string, keyId: string): string {
  return `tocsin.check.${region}.${keyId}`;
}

/** Checks for one probe. @param probe id of its run, which `isSubjectToken` accepts. */
export function directSubject(region: string, keyId: string, probe: string): string {
  return `${checkSubject(region, keyId)}.${probe}`;
}

/** Whether a name can be one part of a subject as it is. */
export function isSubjectToken(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name);
}

/** Queue group of the probes that share a subject of checks. */
export const PROBE_QUEUE = 'probes';

/** Signs of life of the probes of a region. */
export function presenceSubject(region: string, keyId: string): string {
  return `tocsin.presence.${region}.${keyId}`;
}

export const ALL_PRESENCE = 'tocsin.presence.>';

/** Answers to one batch of checks. @param node id of the process that asked, unique to its run. */
export function answerSubject(node: string, batch: string): string {
  return `tocsin.answer.${node}.${batch}`;
}

export function allAnswers(node: string): string {
  return `tocsin.answer.${node}.>`;
}

/** Name in place of a batch: the message lists the batches that a probe still works on. */
export const UNDER_WAY = 'under-way';

/** The batch that a subject of answers names. */
export function batchOf(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}

/** The node that a subject of answers names. */
export function nodeOf(subject: string): string {
  return subject.split('.')[2] ?? '';
}
