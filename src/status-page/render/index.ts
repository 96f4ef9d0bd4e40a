/** Public documents, as HTML. All are pure functions of facts, words and the time. */
export { renderAnnouncement, renderMonth } from './announcement-page.ts';
export { ASSETS, type Asset } from './assets.ts';
export { renderEmbed } from './embed.ts';
export { renderMessage, renderNoPage, renderNotFound, renderSignIn } from './message-page.ts';
export type { FormField, Message } from './message.ts';
export { renderPage } from './page.ts';
export { renderUncorrected } from './uncorrected.ts';
