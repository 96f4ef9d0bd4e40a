/** Name of the person who acknowledged an incident; null where it is not known. */
export function whoHasIt(
  incident: { acknowledged_by?: string | null | undefined } | undefined,
): string | null {
  return incident?.acknowledged_by ?? null;
}
