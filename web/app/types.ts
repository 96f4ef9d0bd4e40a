/** Types of what the API takes and answers. The operations that have them are called by client.ts. */
export type * from '../client/types.gen.ts';
