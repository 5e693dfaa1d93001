import { SESv2Client } from '@aws-sdk/client-sesv2';
import { expect, it, onTestFinished } from 'vitest';
import { sesClientOptions } from '../../../../shared/channels/email/ses/ses.ts';
import { createSesSuppressionList } from '../../../../shared/providers/email/ses-suppression-list.ts';
import { type FakeReply, startHttpFake } from '../../../support/fakes/http-fake.ts';

async function start(reply: FakeReply) {
  const asked: string[] = [];
  const fake = await startHttpFake(({ method, path }) => {
    asked.push(`${method} ${path}`);
    return reply;
  });
  onTestFinished(fake.close);
  const client = new SESv2Client({
    ...sesClientOptions({ region: 'eu-central-1', endpoint: fake.url }),
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  });
  return { list: createSesSuppressionList(client), asked };
}

const failure = (status: number, name: string): FakeReply => ({
  status,
  headers: { 'x-amzn-errortype': `${name}:` },
  body: { message: 'x' },
});

it('removes an address from the list of SES', async () => {
  const { list, asked } = await start({ status: 200, body: {} });
  await list.remove('ada+news@Bücher.example');
  expect(asked).toEqual(['DELETE /v2/email/suppression/addresses/ada%2Bnews%40xn--bcher-kva.example']);
});

it('succeeds for an address that is not on the list', async () => {
  const { list } = await start(failure(404, 'NotFoundException'));
  await expect(list.remove('ada@example.com')).resolves.toBeUndefined();
});

it.each([
  [429, 'TooManyRequestsException'],
  [400, 'BadRequestException'],
])('reports the code of a rejection with status %i, and not the address', async (status, name) => {
  const { list } = await start(failure(status, name));
  const error = await list.remove('ada@example.com').catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'PROVIDER_ERROR', provider: 'ses', providerCode: name });
  expect(String(error)).not.toContain('ada@');
});

it('reports an unreachable provider, and rethrows other errors', async () => {
  const closed = new SESv2Client({
    ...sesClientOptions({ region: 'eu-central-1', endpoint: 'http://127.0.0.1:1' }),
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  });
  const unreachable = createSesSuppressionList(closed).remove('ada@example.com');
  await expect(unreachable).rejects.toMatchObject({ code: 'PROVIDER_ERROR', provider: 'ses' });
  const bug = Object.assign(closed, { send: () => Promise.reject(new TypeError('a bug')) });
  await expect(createSesSuppressionList(bug).remove('ada@example.com')).rejects.toThrow(TypeError);
});
