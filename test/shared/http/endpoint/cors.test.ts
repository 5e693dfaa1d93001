import { describe, expect, it } from 'vitest';
import { handler as getAccount } from '../../../../functions/account/get-account.ts';
import { handler as getAccountMetadata } from '../../../../functions/account/get-account-metadata.ts';
import { handler as getStatus } from '../../../../functions/health/get-status.ts';
import { ROUTES } from '../../../../functions/routes.ts';
import { handler as getUser } from '../../../../functions/users/get-user.ts';
import { handler as saveUser } from '../../../../functions/users/save-user.ts';
import { httpEvent } from '../../../support/app.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';

const account = useAccount(useApp());

const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, retry-after, date, idempotent-replayed',
};

describe('the response of a route that browsers may call', () => {
  it('lets any page read a success', async () => {
    const responses = [
      await getStatus(httpEvent({})),
      await getAccountMetadata(httpEvent({ key: account.public.key })),
      await saveUser(httpEvent({ key: account.public.key, path: { userId: 'ada' }, body: {} })),
    ];
    for (const { statusCode, headers } of responses) {
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject(OPEN);
    }
  });

  it('lets any page read an error', async () => {
    const path = { userId: 'nobody' };
    const responses = [
      await getUser(httpEvent({ path })),
      await getUser(httpEvent({ key: account.public.key, path })),
      await saveUser(httpEvent({ key: account.public.key, path, rawBody: '{' })),
    ];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([401, 400, 400]);
    for (const { headers } of responses) expect(headers).toMatchObject(OPEN);
  });

  it('lets no page read any other route', async () => {
    expect(ROUTES.find(({ id }) => id === 'getAccount')).not.toHaveProperty('cors');
    for (const key of [undefined, account.secret.key]) {
      const { headers } = await getAccount(httpEvent({ key }));
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('routes that browsers may call', () => {
  it('accept public keys or need no credential', () => {
    const open = ROUTES.filter(({ cors }) => cors).map(({ id }) => id);
    const publicKey = ROUTES.filter(
      ({ access }) => access !== 'none' && access.callers.includes('public'),
    ).map(({ id }) => id);
    expect(open.sort()).toEqual([...publicKey, 'getStatus', 'getOpenapi'].sort());
  });
});
