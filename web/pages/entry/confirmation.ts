/** What the link of a mail confirms: an address, the agreement of the old address to a change, or the new address. */
export type Confirmation = 'address' | 'agreement' | 'newAddress';

/**
 * Purpose of the token of a mailed link, a JSON web token. Only for the page's text: the server verifies the signature.
 */
export function confirmationOf(token: string): Confirmation {
  try {
    const coded = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const { updateTo, requestType } = JSON.parse(atob(coded)) as Record<string, unknown>;
    if (updateTo === undefined) return 'address';
    return requestType === 'change-email-confirmation' ? 'agreement' : 'newAddress';
  } catch {
    return 'address';
  }
}
