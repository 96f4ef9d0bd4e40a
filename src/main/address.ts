/** Where this service is reached. */
export interface Address {
  /** BASE_URL, else that of this machine once it listens; without a slash at its end. */
  baseUrl(): string;
  /** It listens on that port, or was to. */
  found(port: number): void;
}

export function createAddress({ baseUrl }: { baseUrl: string | null }): Address {
  let here = '';
  return {
    baseUrl: () => baseUrl ?? here,
    found(port) {
      here = `http://localhost:${port}`;
    },
  };
}
