import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';

export interface StrengthRequest {
  password: string;
  /** Words that somebody who guesses knows of the person. */
  words: readonly string[];
}

export interface StrengthAnswer {
  /** 0 to 4: 3 means more than 10^8 guesses, 4 more than 10^10. */
  score: number;
  /** Sentence that says what is weak; null when no single thing is. */
  warning: string | null;
}

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  translations: english.translations,
});

parentPort!.on('message', ({ password, words }: StrengthRequest) => {
  const { score, feedback } = zxcvbn.check(password, [...words]);
  const answer: StrengthAnswer = { score, warning: feedback.warning || null };
  parentPort!.postMessage(answer);
});
