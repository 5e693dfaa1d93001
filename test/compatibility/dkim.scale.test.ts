import { generateKeyPairSync } from 'node:crypto';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { expect, it } from 'vitest';
import { createSmtpProvider } from '../../shared/channels/email/smtp/smtp.ts';
import { emailDelivery } from '../shared/channels/email/deliveries.ts';
import { noRequests } from '../shared/channels/email/guarded.ts';
import { startSmtp } from '../shared/channels/email/smtp-server.ts';

function createDkim() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  return {
    dkim: {
      domain: 'sender.example',
      selector: 'np20261120',
      privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
    resolver: async (name: string, type: string) => {
      if (name === 'np20261120._domainkey.sender.example' && type === 'TXT') {
        return [[`v=DKIM1; k=rsa; p=${spki}`]];
      }
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    },
  };
}

it("verifies what the SMTP provider signs with the domain's key, including the unsubscribe headers", async () => {
  const server = await startSmtp();
  const { dkim, resolver } = createDkim();
  const headers = [
    { name: 'List-Unsubscribe', value: '<https://a.example/u/1>' },
    { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
  ];
  const provider = createSmtpProvider({ url: server.url, guarded: noRequests });
  await provider.deliver(emailDelivery({ dkim, headers }));
  const raw = server.emails[0]?.raw ?? Buffer.alloc(0);
  const { results } = await dkimVerify(raw, { resolver });
  expect(results).toMatchObject([
    {
      signingDomain: 'sender.example',
      selector: 'np20261120',
      status: { result: 'pass', aligned: 'sender.example' },
    },
  ]);
  const { signingHeaders } = results[0] as unknown as { signingHeaders: { keys: string } };
  const signed = signingHeaders.keys.toLowerCase().split(': ');
  const wanted = ['from', 'to', 'subject', 'message-id', 'list-unsubscribe', 'list-unsubscribe-post'];
  expect(signed).toEqual(expect.arrayContaining(wanted));
  const forged = Buffer.from(raw.toString('latin1').replace('One-Click', 'Two-Click'), 'latin1');
  expect((await dkimVerify(forged, { resolver })).results[0]?.status.result).toBe('fail');
});
