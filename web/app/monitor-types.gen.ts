// Generated from openapi.json by "npm run generate".
/** All types of monitors, in the order in which they are offered. */
export const MONITOR_TYPES = {"http":{"takes":["pull","http"],"checkTypes":["ssl","dns","domain","keyword","json"]},"ping":{"takes":["pull"],"checkTypes":["dns","domain"]},"port":{"takes":["pull","port"],"checkTypes":["dns","domain"]},"heartbeat":{"takes":["push","heartbeat"],"checkTypes":[]},"cron":{"takes":["push","cron"],"checkTypes":[]}} as const;
