import { later, use } from '../support/use-started.ts';
import { startFakeAws } from './fake-aws.ts';

export const aws = later(startFakeAws, 'test');

export const ADMIN = 'notifications-dev-administer-accounts';
export const LOG = {
  trackingId: 't-1',
  accountId: 'a-1',
  email_routing: 'SEND',
  email_sent_at: '2026-11-21T08:30:00.000Z',
};
export const account = (isNew: boolean) => ({
  accountId: 'a-1',
  environmentId: 'e-1',
  name: 'My account',
  admin: { userId: 'm-1', email: 'you@example.com' },
  signIn: 'ready',
  isNew,
  ...(isNew ? { secretKey: 'nds_sk_1', publicKey: 'nds_pk_1' } : {}),
});
const LISTED = {
  accountId: 'a-1',
  name: 'My account',
  disabled: false,
  admins: ['you@example.com'],
  createdAt: '2026-11-21T08:30:00.000Z',
};
const answered = (body: unknown) => ({ statusCode: 200, headers: {}, body: JSON.stringify(body) });

/** The output after what every first deployment says: account, region and stage, and that email needs TLS. */
export const afterPlace = (errors: string) =>
  errors.replace(/^Account .*\nState: .*\n(Note: SES sends over TLS .*\n)?/, '');

type Asked = { id: string; event: Record<string, unknown> };

/** The functions of a deployment, which record their calls. */
export function deployedFunctions({
  logs = [LOG],
  knows = false,
  stage = 'dev',
}: {
  logs?: object[];
  knows?: boolean;
  stage?: string;
} = {}) {
  const asked: Asked[] = [];
  let hasAccount = knows;
  const responses: Record<string, (event: Record<string, unknown>) => unknown> = {
    'administer-accounts': ({ action }) => {
      if (action === 'list') return { accounts: hasAccount ? [LISTED] : [] };
      const made = account(!hasAccount);
      hasAccount = true;
      return made;
    },
    send: () => answered({ trackingId: 't-1', messages: [] }),
    'get-logs': () => answered({ logs: [logs.length > 1 ? logs.shift() : logs[0]] }),
  };
  for (const [id, response] of Object.entries(responses))
    aws.functions.set(`notifications-${stage}-${id}`, (event) => {
      asked.push({ id, event });
      return response(event);
    });
  return asked;
}

/** Starts this set-up for the tests of a file. */
export function useFakeAws(): void {
  use(aws);
}
