import { port } from './config.ts';
import { monitors } from './service/monitors.ts';
export const everything = [port, monitors];
