import { createSocket } from 'node:dgram';
import { AUTHORITATIVE_ANSWER, decode, encode } from 'dns-packet';
import { inChild } from './child.ts';

/** A name server in a separate process, so that its CPU is not counted: every name has the address 127.0.0.1. */
export async function startBenchNameServer() {
  const { child, first } = inChild<number>(import.meta.url, ['serve']);
  return { address: `127.0.0.1:${await first}`, stop: () => void child.kill() };
}

if (process.argv[2] === 'serve') {
  const socket = createSocket('udp4');
  socket.on('message', (bytes, peer) => {
    const { id, questions = [] } = decode(bytes);
    const [question] = questions;
    const isAddress = question?.type === 'A';
    const answer = encode({
      type: 'response',
      ...(id === undefined ? {} : { id }),
      flags: AUTHORITATIVE_ANSWER,
      questions,
      answers: isAddress ? [{ type: 'A', name: question.name, ttl: 60, data: '127.0.0.1' }] : [],
    });
    socket.send(answer, peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1', () => process.send!(socket.address().port));
  process.on('disconnect', () => process.exit());
}
