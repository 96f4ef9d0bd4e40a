import { keyedHash } from '../lib/derived-key.ts';
import { spendingsOfSignUp } from '../model/budgets.ts';
import type { Database } from '../store/database/contract.ts';
import { BudgetExceeded, spendBudgets } from '../store/people/budgets.ts';
import { clientOf } from './client-keys.ts';

/** Spends the budgets of a new account; returns the one that is used up, or null. */
export type SignUpBudget = (address: string, now: number) => Promise<BudgetExceeded | null>;

/** @param secret hashes client addresses. */
export function createSignUpBudget(database: Database, secret: string): SignUpBudget {
  const hash = keyedHash(secret, 'tocsin sign-up budgets v1');
  return async (address, now) => {
    const spendings = spendingsOfSignUp(hash(clientOf(address)));
    try {
      await database.transaction((tx) => spendBudgets(tx, spendings, now));
      return null;
    } catch (error) {
      if (error instanceof BudgetExceeded) return error;
      throw error;
    }
  };
}
