import { describe, expect, it } from 'vitest';
import { parseAllowedHosts } from '../../../shared/http-client/address-guard.ts';
import { createGuardedClient } from '../../../shared/http-client/guarded-client.ts';
import { makeCertificate } from './certificate.ts';
import { resolveTo, startHttp, startHttps } from './servers.ts';

// In 2000::/3 but given back to IANA and routed nowhere.
const PUBLIC_BUT_UNROUTED = '3ffe::1';

describe('the guard', () => {
  it.each([
    ['http://customer.test/', 'scheme'],
    ['https://localhost/', 'name'],
    ['https://127.0.0.1/', 'address'],
    ['https://2130706433/', 'address'],
    ['https://[::ffff:127.0.0.1]/', 'address'],
    ['https://[fd00:ec2::254]/', 'address'],
    ['https://user:secret@customer.test/', 'credentials'],
    ['https://customer.test:25/', 'port'],
    ['nothing', 'malformed'],
  ])('rejects %s before any lookup', async (url, reason) => {
    const { resolve, names } = resolveTo(['127.0.0.1']);
    const client = createGuardedClient({ allowedHosts: new Set(), resolve });
    expect(await client.request({ url })).toEqual({ kind: 'refused', reason });
    expect(names).toEqual([]);
  });

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['10.0.0.1']],
    [['169.254.169.254']],
    [['100.64.0.1']],
    [['::ffff:127.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['93.184.215.14', '127.0.0.1']],
    [['127.0.0.1', '93.184.215.14']],
  ])('rejects a name that resolves to %s and opens no connection', async (addresses) => {
    const { port, sockets } = await startHttps(makeCertificate('evil.test'), (_request, response) => {
      response.end('secret');
    });
    const client = createGuardedClient({ allowedHosts: new Set(), resolve: resolveTo(addresses).resolve });
    expect(await client.request({ url: `https://evil.test:${port}/` })).toEqual({
      kind: 'refused',
      reason: 'address',
    });
    expect(sockets).toHaveLength(0);
  });

  it('connects to the address it checked when the name changes, and checks the next request again', async () => {
    const { port, sockets } = await startHttps(makeCertificate('rebind.test'), (_request, response) => {
      response.end('secret');
    });
    const { resolve, names } = resolveTo([PUBLIC_BUT_UNROUTED], ['127.0.0.1']);
    const client = createGuardedClient({ allowedHosts: new Set(), resolve });
    const url = `https://rebind.test:${port}/`;
    const first = await client.request({ url, timeoutMs: 300 });
    expect(['unreachable', 'timeout']).toContain(first.kind);
    expect(names).toHaveLength(1);
    expect(await client.request({ url })).toEqual({ kind: 'refused', reason: 'address' });
    expect(names).toHaveLength(2);
    expect(sockets).toHaveLength(0);
  });

  it.each([301, 302, 303, 307, 308])(
    'returns with a redirect (%d) and does not follow it',
    async (status) => {
      const target = await startHttp((_request, response) => response.end('secret'));
      const location = `http://127.0.0.1:${target.port}/`;
      const { port } = await startHttp((_request, response) => {
        response.writeHead(status, { location }).end();
      });
      const client = createGuardedClient({
        allowedHosts: parseAllowedHosts(`127.0.0.1:${port},127.0.0.1:${target.port}`),
      });
      expect(await client.request({ url: `http://127.0.0.1:${port}/` })).toMatchObject({
        kind: 'response',
        status,
        headers: { location },
      });
      expect(target.sockets).toHaveLength(0);
    },
  );
});
