import { ApiError } from '../../app/client.ts';
import { askForProof, type Proof } from './proofs.tsx';

/** What the session alone does not prove, by error codes of the sign-in routes. */
const PROOFS: Readonly<Record<string, Proof>> = {
  PROOF_NEEDED: 'identity',
  ENROLLMENT_CODE_NEEDED: 'enrollment',
};

/** Runs an action, and again after the person has proven who they are. Throws the refusal when they close the dialog. */
export async function withProof<Value>(action: () => Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    const proof = error instanceof ApiError ? PROOFS[error.code] : undefined;
    if (proof === undefined || !(error instanceof ApiError)) throw error;
    if (!(await askForProof(proof, error.message))) throw error;
    return withProof(action);
  }
}
