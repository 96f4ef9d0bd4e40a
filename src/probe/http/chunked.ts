/** Decoder of `Transfer-Encoding: chunked` (RFC 9112, section 7.1). */
export type ChunkedReader = ReturnType<typeof createChunkedReader>;

/** Limits for a size line with its extensions, and for all trailers together. */
const MAX_LINE_BYTES = 4_096;
const MAX_TRAILER_BYTES = 16_384;
/** Thirteen hexadecimal digits stay below 2^53. */
const SIZE_LINE = /^([0-9a-f]{1,13})[ \t]*(?:;.*)?$/i;
const LF = 0x0a;

type Step = 'size' | 'data' | 'data-end' | 'trailer' | 'done' | 'invalid';

export function createChunkedReader() {
  let step: Step = 'size';
  let remaining = 0;
  let line = '';
  let trailerBytes = 0;

  const onLine = (text: string): void => {
    if (step === 'size') {
      const match = SIZE_LINE.exec(text);
      if (match === null) {
        step = 'invalid';
        return;
      }
      remaining = Number.parseInt(match[1] ?? '', 16);
      step = remaining === 0 ? 'trailer' : 'data';
    } else if (step === 'data-end') {
      step = text === '' ? 'size' : 'invalid';
    } else if (text === '') {
      step = 'done';
    } else {
      trailerBytes += text.length;
      if (trailerBytes > MAX_TRAILER_BYTES) step = 'invalid';
    }
  };

  /** Returns where the next line begins. */
  const readLine = (chunk: Buffer, from: number): number => {
    const lf = chunk.indexOf(LF, from);
    const end = lf === -1 ? chunk.length : lf;
    line += chunk.toString('latin1', from, end);
    if (line.length > MAX_LINE_BYTES) step = 'invalid';
    else if (lf !== -1) {
      const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
      line = '';
      onLine(whole);
    }
    return end + 1;
  };

  return {
    /** Passes on each piece of data, and returns whether more is expected. */
    push(chunk: Buffer, onData: (data: Buffer) => void) {
      let at = 0;
      while (at < chunk.length && step !== 'done' && step !== 'invalid') {
        if (step !== 'data') {
          at = readLine(chunk, at);
          continue;
        }
        const data = chunk.subarray(at, at + remaining);
        onData(data);
        at += data.length;
        remaining -= data.length;
        if (remaining === 0) step = 'data-end';
      }
      if (step === 'done' || step === 'invalid') return step;
      return 'more';
    },
  };
}
