import { chooseChallenge, digestAuthorization } from './digest.ts';
import type { DigestChallenge } from './digest.ts';
import { requestTarget } from './request.ts';
import type { HttpRequest } from './request.ts';
import type { ResponseHead } from './response.ts';

/**
 * Challenge of a response that the request can answer; null if there is none. `answered` is the number of challenges
 * answered before: a refused answer is wrong, and is only repeated if the nonce was too old (RFC 7616, section 3.3,
 * `stale`).
 */
export function openChallenge(
  { status, headers }: ResponseHead,
  { digest }: HttpRequest,
  answered: number,
): DigestChallenge | null {
  if (status !== 401 || digest === null || answered > 1) return null;
  const challenge = chooseChallenge(
    headers.filter(([name]) => name === 'www-authenticate').map(([, value]) => value),
  );
  return challenge !== null && (answered === 0 || challenge.stale) ? challenge : null;
}

/** The request with an answer to the challenge, and the texts in it that prove the password. */
export function answerChallenge(
  challenge: DigestChallenge,
  request: HttpRequest,
  clientNonce: string,
): { request: HttpRequest; proofs: string[] } {
  const { method, url, headers, digest } = request;
  if (digest === null) return { request, proofs: [] };
  const uri = requestTarget(url);
  const { header, response } = digestAuthorization(challenge, digest, { method, uri, clientNonce });
  return {
    request: { ...request, headers: { ...headers, Authorization: header } },
    proofs: [header, response],
  };
}
