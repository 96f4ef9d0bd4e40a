import { betterStack } from './better-stack.ts';
import { blackbox } from './blackbox.ts';
import { checkly } from './checkly.ts';
import { gatus } from './gatus.ts';
import { healthchecks } from './healthchecks.ts';
import type { Importer } from './importer.ts';
import { statusCake } from './statuscake.ts';
import { tocsin } from './tocsin.ts';
import { uptimeKuma } from './uptime-kuma.ts';
import { uptimeRobot } from './uptimerobot.ts';

/** All ways over from other services, in the order in which they are offered: a new one is one line here. */
export const IMPORTERS: readonly Importer[] = [
  uptimeKuma,
  uptimeRobot,
  healthchecks,
  gatus,
  betterStack,
  checkly,
  statusCake,
  blackbox,
  tocsin,
];
