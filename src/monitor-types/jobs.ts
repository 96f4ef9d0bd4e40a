/** What the types of jobs, which call us, have in common. */
export const JOB = {
  kind: 'push',
  checkTypes: [],
  events: {
    open: {
      name: 'monitor.heartbeat_missed',
      when: 'A job did not call in time, told of a failure, or did not end in time.',
    },
    resolve: {
      name: 'monitor.heartbeat_recovered',
      when: 'A job calls again, or has ended well.',
    },
  },
  eventExample: {
    monitor: { id: 10, name: 'Nightly backup', url: null },
    cause: 'The job ended with exit code 1',
  },
} as const;

export const NAME_HINT = ['friendly_name', 'give the job a name'] as const;
