/** Name of a monitor; without one its address, as the list of monitors writes it: "shop.example/cart", "db.internal:5432". */
export function monitorName({
  friendly_name: name,
  url,
  port = null,
}: {
  friendly_name: string | null;
  url: string;
  port?: number | null;
}): string {
  if (name !== null) return name;
  if (port !== null) return url.includes(':') ? `[${url}]:${port}` : `${url}:${port}`;
  const parsed = /^https?:/i.test(url) ? URL.parse(url) : null;
  return parsed === null ? url : `${parsed.host}${parsed.pathname === '/' ? '' : parsed.pathname}`;
}
