/**
 * Language that a browser prefers among the known ones (RFC 9110, section 12.5.4); the first known one when it names none.
 *
 * @param header Accept-Language.
 */
export function preferredLanguage<Known extends string>(
  header: string | undefined,
  languages: readonly [Known, ...Known[]],
): Known {
  const weights = (header ?? '').split(',').map((item) => {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return { language: range.split('-', 1)[0], weight: Number(weight) };
  });
  const wanted = weights.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  for (const { language } of wanted) {
    const found = languages.find((one) => one === language);
    if (found !== undefined) return found;
  }
  return languages[0];
}
