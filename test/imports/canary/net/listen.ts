import { port } from '../config.ts';
export const listen = port;
