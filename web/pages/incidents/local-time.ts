/** Writes a moment as a field of the type datetime-local takes it, in the zone of the device: 2030-01-31T14:02. */
export function localTime(moment: number): string {
  const shifted = moment - new Date(moment).getTimezoneOffset() * 60_000;
  return new Date(shifted).toISOString().slice(0, 16);
}

/** Reads such a text. Text without a time stays as it is: the API says what is wrong with it. */
export function utcOf(text: string): string {
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString();
}
