import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { findJson } from '../../shared/runtime/values/find-json.ts';

export type Log = Readonly<Record<string, unknown>>;

type ServiceResponse = { status: number; body: unknown };

/** The deployed service as an account of its own sees it. */
export type Service = {
  ask(method: string, path: string, body?: unknown): Promise<ServiceResponse>;
  send(body: object): Promise<string>;
  /** The log of a notification once it satisfies `isDone`, or as it is when patience ends. */
  logged(trackingId: string, isDone: (log: Log) => boolean): Promise<Log>;
};

/** Time that a receipt may take; the first event of a new table's stream can take a minute. */
const WAIT_MS = 120_000;
const PAUSE_MS = 1000;

const Sent = v.object({ trackingId: v.string() });
const Logs = v.object({ logs: v.array(v.record(v.string(), v.unknown())) });
const Rejected = v.object({ error: v.object({ code: v.string(), message: v.string() }) });

export function reasonOf({ status, body }: ServiceResponse): string {
  return v.is(Rejected, body) ? body.error.message.replace(/\.$/, '') : `status ${status}`;
}

/** Why a message is not sent on a channel; undefined if it is, or if nothing is decided yet. */
export function withheldReason(log: Log, prefix: 'email' | 'sms' | 'inapp'): string | undefined {
  const routing = log[`${prefix}_routing`];
  if (routing === undefined || routing === 'SEND') return undefined;
  return [routing, log[`${prefix}_routing_reason`]].filter(Boolean).join(', ');
}

/** Calls the API at its address with a secret key, as a customer's server does. */
export function createService({
  baseUrl,
  secretKey,
  waitMs = WAIT_MS,
  pauseMs = PAUSE_MS,
}: {
  baseUrl: string;
  secretKey: string;
  waitMs?: number;
  pauseMs?: number;
}): Service {
  const ask: Service['ask'] = async (method, path, body) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: findJson((await response.text()) || 'null') };
  };
  const answered = async <S extends v.GenericSchema>(
    schema: S,
    ...[method, path, body]: Parameters<typeof ask>
  ): Promise<v.InferOutput<S>> => {
    const response = await ask(method, path, body);
    if (response.status === 200) return v.parse(schema, response.body);
    throw new Error(`${method} ${path.split('/')[1]}: ${reasonOf(response)}`);
  };
  return {
    ask,
    send: async (body) => (await answered(Sent, 'POST', '/send', body)).trackingId,
    async logged(trackingId, isDone) {
      for (const endsAtMs = Date.now() + waitMs; ; await sleep(pauseMs)) {
        const [log = {}] = (await answered(Logs, 'GET', `/logs/${trackingId}`)).logs;
        if (isDone(log) || Date.now() >= endsAtMs) return log;
      }
    },
  };
}
