import { beforeEach, describe, expect, it } from 'vitest';
import { createDeploymentSecret } from '../../../../../shared/database/entities/access/deployment-secret.ts';
import { keyring } from '../../../../../shared/database/entities/accounts/data-keys.ts';
import { deploymentKey } from '../../../../../shared/database/keys/account.ts';
import { resolve } from '../../../../../shared/runtime/dependency.ts';
import { START_MS } from '../../../../support/app.ts';
import { unpackedText } from '../../../../support/everything.ts';
import { useApp } from '../../../../support/use-app.ts';

const DAY_MS = 86_400_000;
const app = useApp();
/** A process with an empty cache. */
const create = () =>
  createDeploymentSecret(
    app.database,
    () => resolve(keyring),
    () => app.clock.nowMs,
  );

beforeEach(async () => {
  app.clock.nowMs = START_MS;
  await app.database.delete(deploymentKey());
});

describe('the signing secret', () => {
  it('stays encrypted in the table and the same for every process that starts concurrently', async () => {
    const signatures = await Promise.all(Array.from({ length: 8 }, () => create().sign('cursor', 'a')));
    expect(new Set(signatures).size).toBe(1);
    const item = await app.database.get(deploymentKey());
    expect(item).toEqual({ ...deploymentKey(), entries: [{ sealed: expect.stringMatching(/^v1\./) }] });
  });

  it('verifies a signature for its own purpose and text only', async () => {
    const secret = create();
    const signature = await secret.sign('member-invitation', 'a');
    expect(await secret.verify('member-invitation', 'a', signature)).toBe(true);
    expect(await secret.verify('email-change', 'a', signature)).toBe(false);
    expect(await secret.verify('member-invitation', 'b', signature)).toBe(false);
  });

  it('encrypts and retires a plaintext secret of an earlier version, whose links remain valid for their lifetime', async () => {
    const { createHmac } = await import('node:crypto');
    const plain = Buffer.alloc(32, 7);
    await app.database.put({ ...deploymentKey(), secret: plain });
    const signedBefore = (purpose: string) =>
      createHmac('sha256', plain).update(`${purpose}\na`).digest('base64url');
    const secrets = await Promise.all(
      [create(), create()].map(async (each) => [each, await each.sign('cursor', 'a')]),
    );
    expect(secrets[0]?.[1]).toBe(secrets[1]?.[1]);
    expect(secrets[0]?.[1]).not.toBe(signedBefore('cursor'));
    expect(unpackedText(await app.database.get(deploymentKey()))).not.toContain(plain.toString('base64'));
    const secret = create();
    expect(await secret.verify('member-invitation', 'a', signedBefore('member-invitation'))).toBe(true);
    app.clock.nowMs += 8 * DAY_MS;
    expect(await secret.verify('member-invitation', 'a', signedBefore('member-invitation'))).toBe(false);
    expect(await secret.verify('unsubscribe', 'a', signedBefore('unsubscribe'))).toBe(true);
  });
});

describe('secret rotation', () => {
  it('keeps earlier signatures valid for their lifetime, and links in messages permanently', async () => {
    const secret = create();
    const [invitation, unsubscribe] = [
      await secret.sign('member-invitation', 'a'),
      await secret.sign('unsubscribe', 'a'),
    ];
    await secret.rotate(false);
    await secret.rotate(false);
    expect(await secret.sign('unsubscribe', 'a')).not.toBe(unsubscribe);
    expect(await secret.verify('member-invitation', 'a', invitation)).toBe(true);
    app.clock.nowMs += 8 * DAY_MS;
    expect(await secret.verify('member-invitation', 'a', invitation)).toBe(false);
    expect(await secret.verify('unsubscribe', 'a', unsubscribe)).toBe(true);
  });

  it('invalidates invitations, confirmations and cursors immediately when the secret has leaked', async () => {
    const secret = create();
    const signed = {
      'member-invitation': await secret.sign('member-invitation', 'a'),
      'email-change': await secret.sign('email-change', 'a'),
      cursor: await secret.sign('cursor', 'a'),
    } as const;
    const unsubscribe = await secret.sign('unsubscribe', 'a');
    await secret.rotate(false);
    await secret.rotate(true);
    for (const purpose of ['member-invitation', 'email-change', 'cursor'] as const)
      expect(await secret.verify(purpose, 'a', signed[purpose])).toBe(false);
    expect(await secret.verify('unsubscribe', 'a', unsubscribe)).toBe(true);
    const renewed = await secret.sign('member-invitation', 'a');
    expect(await create().verify('member-invitation', 'a', renewed)).toBe(true);
  });
});
