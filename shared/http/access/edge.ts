import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { setting } from '../../runtime/config.ts';
import { AppError } from '../../runtime/errors.ts';
import type { RawRequest } from '../endpoint/event.ts';

/** A CDN in front of the API sends this header to show that a request came through it. */
const EDGE_HEADER = 'x-edge-secret';

/** `EDGE_HEADER_SHA256`: hashes of the values that are accepted, two while they are rotated. Without one, all are. */
const edgeHashes = () =>
  setting('EDGE_HEADER_SHA256')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);

/** Throws UNAUTHORIZED if requests must come through the edge and this request did not. Direct invocations are exempt. */
export function assertEdge({ headers, isDirect }: Pick<RawRequest, 'headers' | 'isDirect'>): void {
  const hashes = edgeHashes();
  if (isDirect || hashes.length === 0) return;
  if (
    hashes.includes(
      createHash('sha256')
        .update(headers[EDGE_HEADER] ?? '')
        .digest('hex'),
    )
  )
    return;
  throw new AppError('UNAUTHORIZED', {
    message: 'The request did not come through the public address of the service.',
    fix: 'Send the request to the public address. Its CDN adds the header that this deployment requires.',
  });
}

/** The caller's address: from `CLIENT_ADDRESS_HEADER`, with or without a port, which is trusted only from a checked edge. */
export function callerAddress({ headers, ip }: Pick<RawRequest, 'headers' | 'ip'>): string | undefined {
  const name = setting('CLIENT_ADDRESS_HEADER').toLowerCase();
  if (!name || edgeHashes().length === 0) return ip;
  const stated = headers[name]?.trim() ?? '';
  const found = [stated, stated.replace(/:\d{1,5}$/, ''), stated.replace(/^\[(.*)\](:\d{1,5})?$/, '$1')];
  // An IPv6 address with a port is one with another last group as well: the port is removed first.
  const order = stated.split(':').length > 2 && name.endsWith('viewer-address') ? [1, 2, 0] : [0, 1, 2];
  return order.map((index) => found[index] ?? '').find((each) => isIP(each) !== 0) ?? ip;
}
