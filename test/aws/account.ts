import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpResponse, World } from './world.ts';

/** A record of the delivery log. */
export type Log = Record<string, unknown> & { trackingId: string };

/** An account with what its developers and the recipients do. */
export type Account = ReturnType<typeof useAccount>;

type Opened = { accountId: string; environmentId: string; secretKey: string; publicKey: string };

/** Creates an account as the operator's command does. */
export async function openAccount(world: World, name: string): Promise<Account> {
  const email = `${name}@example.com`;
  return useAccount(
    world,
    (await world.invoke('administer-accounts', { action: 'create', name, email })) as Opened,
  );
}

export function useAccount(world: World, opened: Opened) {
  const ask = async (method: string, path: string, body?: unknown): Promise<HttpResponse> => {
    const response = await world.request(method, path, { key: opened.secretKey, body });
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
    return response;
  };
  const log = async (trackingId: string): Promise<Log> =>
    (await ask('GET', `/logs/${trackingId}`)).json.logs[0];
  return {
    ...opened,
    ask,
    log,
    send: async (body: object): Promise<string> => (await ask('POST', '/send', body)).json.trackingId,
    /** The account's environment, which is in secure mode, with its client secret. */
    environment: async (): Promise<{ clientId: string; clientSecret: string }> =>
      (await ask('GET', '/environments')).json.environments[0],
    /** Waits until a log record has every field. */
    logged: (trackingId: string, ...fields: string[]): Promise<Log> =>
      until(`${fields} in the log of ${trackingId}`, async () => {
        const record = await log(trackingId);
        return { value: record, isDone: fields.every((field) => record?.[field] !== undefined) };
      }),
  };
}

/** Everything in the run takes seconds; a planted fault is known by what never comes. */
const waitMs = () => Number(process.env.AWS_WAIT_MS ?? 60_000);

/** Waits until a value is as expected; throws with the last value. */
export async function until<T>(what: string, read: () => Promise<{ value: T; isDone: boolean }>): Promise<T> {
  for (const endsAtMs = Date.now() + waitMs(); ; await sleep(200)) {
    const { value, isDone } = await read();
    if (isDone) return value;
    if (Date.now() > endsAtMs) throw new Error(`${what}: ${JSON.stringify(value)}`);
  }
}
