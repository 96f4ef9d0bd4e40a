/** Check of an `http` monitor: a GET request without conditions on its response. Target and time limit are missing. */
export const PLAIN_GET = {
  type: 'http',
  method: 'GET',
  headers: {},
  body: null,
  acceptedStatusCodes: null,
  followRedirects: true,
  errorTextDetection: false,
} as const;
