import { describe, expect, it } from 'vitest';
import { createSandboxProvider } from '../../../../shared/channels/sandbox/sandbox.ts';
import { DELIVERIES, NOW_MS } from './deliveries.ts';

describe('attachments of a sandbox email', () => {
  async function attach(attachments: object[], isDigest = false) {
    const provider = createSandboxProvider('EMAIL', {
      clock: { now: () => NOW_MS },
      allowedHosts: () => new Set(['localhost:4000']),
      record: async () => {},
      sendReceipts: async () => {},
    });
    const delivery = DELIVERIES.EMAIL(['ada@example.com'], 1);
    return provider.deliver({
      ...delivery,
      ...(isDigest ? { isDigest } : {}),
      attachments: attachments as [],
    });
  }
  const a = { filename: 'a.pdf', url: 'https://files.example.com/a.pdf' };

  it.each([
    ['on a private address', { filename: 'b.pdf', url: 'https://10.0.0.1/b' }, 'refused address'],
    ['over http', { filename: 'b.pdf', url: 'http://files.example.com/b' }, 'refused scheme'],
    ['of a type that mail systems reject', { ...a, filename: 'b.exe' }, 'file type not allowed'],
  ])('%s fail the email, as they do with a provider', async (_, attachment, because) => {
    expect(await attach([a, attachment])).toEqual({
      kind: 'rejected',
      code: 'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE',
      internal: `attachment 2: ${because}`,
    });
    const digest = await attach([a, attachment], true);
    expect(digest).toMatchObject({
      kind: 'sent',
      fields: { email_failed_internal: `${attachment.filename} is omitted: attachment 2: ${because}` },
    });
  });

  it('go out when they are on public hosts or on those that the operator allows', async () => {
    expect(await attach([a, { filename: 'b.pdf', url: 'http://localhost:4000/b' }])).toMatchObject({
      kind: 'sent',
    });
  });
});
