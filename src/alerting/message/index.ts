/**
 * Content and rendering of messages. A `MessageContent` holds the facts as they were when they changed; it is stored
 * with its delivery. `render` turns it into a `Message` (subject, lines, facts, mail) when it is sent, in the time zone
 * of its reader, and every channel converts that to its own format. Pure: nothing here reads the database or sends.
 */
export { ALERT_LINK_MS, createAlertLinks } from './alert-link.ts';
export type { AlertLink, AlertLinks } from './alert-link.ts';
export { MAX_LISTED_INCIDENTS, MESSAGE_KINDS } from './content.ts';
export type { Message, MessageContent, MessageIncident } from './content.ts';
export { messageIncidentOf } from './content.ts';
export { render } from './render.ts';
