/** A GET request without conditions on its answer, as a check of an `http` monitor; without its target and time limit. */
export const PLAIN_GET = {
  type: 'http',
  method: 'GET',
  headers: {},
  body: null,
  acceptedStatusCodes: null,
  followRedirects: true,
  verifySsl: true,
  errorTextDetection: false,
} as const;
