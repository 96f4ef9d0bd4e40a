/** Writes a moment with its day of the week in a zone: "Tue, 24 Nov, 03:00 CET". The zone shows changes of the clock. */
export function zonedMoment(time: string, timeZone: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
    timeZone,
  }).format(new Date(time));
}
