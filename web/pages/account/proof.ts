import { ApiError } from '../../app/client.ts';
import { createStore } from '../../app/store.ts';

/** What the session alone does not prove: asked for in a dialog, then the action is repeated. */
export interface AskedProof {
  /** `identity`: password or a code of the authenticator; `enrollment`: a code that is mailed. */
  kind: 'identity' | 'enrollment';
  /** Why, in the words of the API. */
  message: string;
}

/** Questions by error codes of the sign-in routes. */
const KINDS: Readonly<Record<string, AskedProof['kind']>> = {
  PROOF_NEEDED: 'identity',
  ENROLLMENT_CODE_NEEDED: 'enrollment',
};

/** The question that is open, if any. */
export const askedProof = createStore<AskedProof | null>(null);
let settle: (isProven: boolean) => void = () => {};

/** Runs an action, and again after the person has proven who they are. Throws the refusal when they close the dialog. */
export async function withProof<Value>(action: () => Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    const kind = error instanceof ApiError ? KINDS[error.code] : undefined;
    if (kind === undefined || !(error instanceof ApiError)) throw error;
    if (!(await ask({ kind, message: error.message }))) throw error;
    return withProof(action);
  }
}

function ask(question: AskedProof): Promise<boolean> {
  settle(false);
  return new Promise((resolve) => {
    settle = resolve;
    askedProof.set(question);
  });
}

/** Ends the question that is open. */
export function settleProof(isProven: boolean): void {
  askedProof.set(null);
  settle(isProven);
}
