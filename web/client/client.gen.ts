// Generated from openapi.json by "npm run generate".
import { type Client, type ClientOptions, type Config, createClient, createConfig } from "./client/index.ts";
import type { ClientOptions as ClientOptions2 } from "./types.gen.ts";
export type CreateClientConfig<T extends ClientOptions = ClientOptions2> = (override?: Config<ClientOptions & T>) => Config<Required<ClientOptions> & T>;
export const client: Client = createClient(createConfig<ClientOptions2>({ baseUrl: "/api/v1" }));
