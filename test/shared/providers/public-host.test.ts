import { type AddressInfo, createServer } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { handler as saveOrder } from '../../../functions/providers/save-provider-order.ts';
import { emailProvider } from '../../../shared/providers/email.ts';
import { createPublicHost } from '../../../shared/providers/public-host.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount, createTestApp } from '../../support/app.ts';
import { withSettings } from '../../support/workers.ts';
import { emailDelivery } from '../channels/email/deliveries.ts';

beforeAll(async () => {
  process.env.EMAIL_PROVIDER = 'smtp';
  process.env.SMTP_URL = 'smtp://127.0.0.1:1';
  await createTestApp();
});

const server = (host: string, port = 587) => ({
  ...{ host, port, secure: false, requireTLS: false, ignoreTLS: false, rejectUnauthorized: true },
});
const find = (host: string, port?: number) =>
  withSettings({ EGRESS_ALLOW_HOSTS: '' }, () => createPublicHost()(server(host, port)));

it.each([
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '0.0.0.0',
  '::1',
  '::ffff:127.0.0.1',
  'fd00::1',
  'fe80::1%eth0',
  'localhost',
  'LOCALHOST',
  '2130706433',
  '0x7f.1',
  '127.1',
])('finds no address for the private host %s', async (host) => {
  expect(await find(host)).toBeUndefined();
});

it('finds a public address on ports of mail and from 1024 only', async () => {
  const ports = [25, 465, 587, 1024, 2525, 22, 80, 443, 1];
  const found = await Promise.all(ports.map((port) => find('8.8.8.8', port)));
  expect(found.map((address) => address !== undefined)).toEqual([
    ...[true, true, true, true, true],
    ...[false, false, false, false],
  ]);
});

it('finds a private host that the operator allows', async () => {
  const allowed = await withSettings({ EGRESS_ALLOW_HOSTS: '10.0.0.5:2525,[::1]:*' }, () =>
    Promise.all([
      createPublicHost()(server('10.0.0.5', 2525)),
      createPublicHost()(server('10.0.0.5', 2526)),
      createPublicHost()(server('::1', 25)),
    ]),
  );
  expect(allowed).toEqual(['10.0.0.5', undefined, '::1']);
});

it("never connects an account's own mail server to an address of this network", async () => {
  let connections = 0;
  const listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((ready) => listener.listen(0, '127.0.0.1', ready));
  const { port } = listener.address() as AddressInfo;
  const { account, secret } = await createTestAccount(await createTestApp());
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433']) {
    const credentials = { 'smtp:mine': { url: `smtp://${host}:${port}` } };
    const body = { order: ['smtp:mine'], credentials };
    const saved = await call(saveOrder, { key: secret.key, path: { channel: 'EMAIL' }, body });
    expect(saved.status).toBe(200);
    const outcome = await resolve(emailProvider).deliver(emailDelivery({ accountId: account.accountId }));
    expect(outcome).toMatchObject({
      kind: 'retry',
      internal: 'the mail server has no address that may be connected to',
    });
  }
  expect(connections).toBe(0);
  listener.close();
});
