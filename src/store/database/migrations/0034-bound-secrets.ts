/**
 * Changes nothing: its name is what a database asks of a program before secrets are stored bound to their place
 * (`compatibility.ts`, ADR 49).
 */
export const boundSecrets = (): string[] => [];
