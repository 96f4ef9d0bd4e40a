import type { OcspStaple } from '../../model/inspection.ts';

const UNREADABLE: OcspStaple = { status: 'unreadable', producedAt: null, nextUpdate: null };

/** Staples have some hundred bytes, with the responder's certificates a few thousand. */
const MAX_BYTES = 16_384;

/**
 * Parses a staple (RFC 6960, an OCSPResponse as DER) for the certificate with this serial number (hexadecimal). The
 * signature is not verified: a server gains nothing by claiming that its own certificate is revoked, and `good`
 * overrides no other finding. Never throws: anything invalid or about another certificate is `unreadable`.
 */
export async function readStaple(der: Buffer, serialNumber: string): Promise<OcspStaple> {
  if (der.length > MAX_BYTES) return UNREADABLE;
  try {
    return await parse(der, serialNumber);
  } catch {
    return UNREADABLE;
  }
}

async function parse(der: Buffer, serialNumber: string): Promise<OcspStaple> {
  // Load on first use: most processes never see a staple.
  const [{ AsnConvert }, ocsp] = await Promise.all([
    import('@peculiar/asn1-schema'),
    import('@peculiar/asn1-ocsp'),
  ]);
  const response = AsnConvert.parse(der, ocsp.OCSPResponse);
  const isAnswer = response.responseStatus === ocsp.OCSPResponseStatus.successful;
  const bytes = response.responseBytes;
  if (!isAnswer || bytes?.responseType !== ocsp.id_pkix_ocsp_basic) return UNREADABLE;
  const { tbsResponseData } = AsnConvert.parse(bytes.response.buffer, ocsp.BasicOCSPResponse);
  const wanted = withoutZeros(serialNumber);
  const single = tbsResponseData.responses.find(
    ({ certID }) => withoutZeros(Buffer.from(certID.serialNumber).toString('hex')) === wanted,
  );
  if (single === undefined) return UNREADABLE;
  return {
    status: statusOf(single.certStatus),
    producedAt: timeOf(tbsResponseData.producedAt),
    nextUpdate: timeOf(single.nextUpdate),
  };
}

function statusOf(status: { good?: null; revoked?: unknown }): OcspStaple['status'] {
  if (status.revoked !== undefined) return 'revoked';
  return status.good !== undefined ? 'good' : 'unknown';
}

function timeOf(date: Date | undefined): number | null {
  const time = date?.getTime();
  return time === undefined || Number.isNaN(time) ? null : time;
}

/** In DER, a serial number whose first bit is set has a leading zero, which Node's text omits. */
function withoutZeros(hexadecimal: string): string {
  return hexadecimal.toLowerCase().replace(/^0+/, '');
}
