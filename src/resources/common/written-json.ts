import { parseExactJson } from '../../lib/exact-json.ts';

/** An answer that is written as JSON already, such as one that is sent several times. */
export class WrittenJson {
  readonly json: Buffer;

  constructor(json: Buffer) {
    this.json = json;
  }

  /** The object that was written, for callers that don't send it. */
  read(): object {
    return parseExactJson(this.json.toString()) as object;
  }
}

/** The object of an answer, written or not. */
export function objectOf(answer: object | void): object | void {
  return answer instanceof WrittenJson ? answer.read() : answer;
}
