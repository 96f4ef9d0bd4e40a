/** Lower-case words joined by hyphens, such as `my-team`. @param fallback for a name without letters and digits. */
export function slugOf(name: string, fallback = 'team'): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return (
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || fallback
  );
}
