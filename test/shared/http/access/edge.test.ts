import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as getStatus } from '../../../../functions/health/get-status.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { call } from '../../../support/app.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';
import { recordOf } from '../../../support/workers.ts';

const app = useApp();
const account = useAccount(app);
const hashOf = (value: string) => createHash('sha256').update(value).digest('hex');
const MAIL = { type: 't', to: { id: 'ada', email: 'ada@example.com' }, email: { subject: 'S', html: 'H' } };

describe('the header of the edge', () => {
  beforeEach(
    () => void Object.assign(process.env, { EDGE_HEADER_SHA256: `${hashOf('old')}, ${hashOf('new')}` }),
  );

  it.each([
    [{}, 401],
    [{ 'x-edge-secret': '' }, 401],
    [{ 'x-edge-secret': hashOf('new') }, 401],
    [{ 'X-Edge-Secret': 'new' }, 200],
    [{ 'x-edge-secret': 'old' }, 200],
  ])('decides whether a request is accepted: %j is %i', async (headers, status) => {
    const { key } = account.secret;
    expect((await call(send, { key, headers, body: MAIL })).status).toBe(status);
    expect((await call(getStatus, { headers })).status).toBe(status);
  });

  it('is not needed by a direct invocation', async () => {
    const headers = { authorization: `Bearer ${account.secret.key}` };
    expect((await send({ headers, body: MAIL })).statusCode).toBe(200);
  });
});

describe('the address of the caller', () => {
  it.each([
    ['198.51.100.10:46532', '198.51.100.10'],
    ['198.51.100.10', '198.51.100.10'],
    ['2001:db8:1:2:3:4:5:6:443', '2001:db8:1:2:3:4:5:6'],
    ['2001:db8::1:443', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['not an address', undefined],
    ['198.51.100.10, 203.0.113.7', undefined],
  ])('is read from the trusted header: %s', async (stated, expected) => {
    const edge = { EDGE_HEADER_SHA256: hashOf('s'), CLIENT_ADDRESS_HEADER: 'CloudFront-Viewer-Address' };
    Object.assign(process.env, edge);
    const headers = { 'x-edge-secret': 's', 'cloudfront-viewer-address': stated };
    const { json } = await call(send, { key: account.secret.key, headers, body: MAIL });
    delete process.env.EDGE_HEADER_SHA256;
    const { ip } = await recordOf(account, json.trackingId);
    expect(ip).toBe(expected ?? '203.0.113.7');
  });

  it('is not read from a header that anybody can send', async () => {
    Object.assign(process.env, { EDGE_HEADER_SHA256: '', CLIENT_ADDRESS_HEADER: 'x-client' });
    const headers = { 'x-client': '198.51.100.10' };
    const { json } = await call(send, { key: account.secret.key, headers, body: MAIL });
    expect((await recordOf(account, json.trackingId)).ip).not.toBe('198.51.100.10');
  });
});
