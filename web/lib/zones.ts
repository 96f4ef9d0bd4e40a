/** Time zones to choose from, as options of a list; a stored one that this browser does not know stays. */
export function zoneOptions(current: string): { value: string; text: string }[] {
  const names = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);
  if (current !== '') names.add(current);
  return [...names].map((value) => ({ value, text: value.replaceAll('_', ' ') }));
}
