/** Public address of this service. */
export interface Address {
  /** BASE_URL, or `http://localhost` with the port; without a trailing slash. */
  baseUrl(): string;
  /** Sets the port this service listens on. */
  setPort(port: number): void;
}

export function createAddress({ baseUrl }: { baseUrl: string | null }): Address {
  let here = '';
  return {
    baseUrl: () => baseUrl ?? here,
    setPort(port) {
      here = `http://localhost:${port}`;
    },
  };
}
