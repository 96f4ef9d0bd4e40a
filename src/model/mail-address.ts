import { domainToASCII } from 'node:url';

/**
 * An e-mail address as people write it. Comments, quotes, groups and address literals (RFC 5322) are none: they would give
 * one mailbox any number of spellings.
 */
export const MAIL_ADDRESS = /^[^\s@,;:<>()[\]"\\\0]+@[^\s@,;:<>()[\]"\\\0]+$/;

const MAX_LENGTH = 254;

export function isMailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && text.isWellFormed() && MAIL_ADDRESS.test(text);
}

/**
 * One spelling for the addresses of one mailbox: in lower case, the domain in ASCII without a dot at its end, without a
 * subaddress (RFC 5233), and without the dots that Gmail ignores. Otherwise anybody could write to one person under any
 * number of addresses.
 */
export function mailboxOf(address: string): string {
  const [, local = '', domain = ''] = /^(.*)@(.*)$/s.exec(address.trim().toLowerCase()) ?? [];
  const host = hostOf(domain);
  const user = local.replace(/(?<=.)\+.*$/s, '');
  return `${host === 'gmail.com' ? user.replaceAll('.', '') : user}@${host}`;
}

function hostOf(domain: string): string {
  const ascii = domainToASCII(domain) || domain;
  const host = ascii.replace(/\.+$/, '');
  return host === 'googlemail.com' ? 'gmail.com' : host;
}
