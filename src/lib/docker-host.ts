import { quote } from './setting-types.ts';

/** What is wrong with a DOCKER_HOST, in a sentence; null for nothing. */
export function problemOfDockerHost(host: string): string | null {
  const url = URL.parse(host);
  const isSocket = url?.protocol === 'unix:' && url.host === '' && url.pathname.length > 1;
  const isServer =
    url !== null && ['tcp:', 'http:', 'https:'].includes(url.protocol) && url.hostname !== '';
  if (isSocket || (isServer && /^\/?$/.test(url.pathname))) return null;
  return `DOCKER_HOST is ${quote(host)}, but discovery needs unix:///path, tcp://host:port or https://host:port. For ssh://, forward the socket.`;
}
