import { beforeAll, beforeEach } from 'vitest';
import { handler as send } from '../../../../functions/sending/send.ts';
import type {
  ChannelProvider,
  DeliveryByChannel,
  DeliveryOutcome,
} from '../../../../shared/channels/channel.ts';
import { queues } from '../../../../shared/messaging/queues.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import { call } from '../../../support/app.ts';
import { laterAccount, laterApp } from '../../../support/use-app.ts';
import { use } from '../../../support/use-started.ts';
import { deliverMessages, type QueueHandler } from '../../../support/workers.ts';

type Waited = { queue: string; handle: string; seconds: number };

export const app = laterApp();
export const account = laterAccount(app);
/** The messages that a worker made wait, in the current test. */
export const waited: Waited[] = [];

/** A provider with these outcomes in turn; after them, it accepts everything. */
export function provider<C extends Channel>(...responses: (DeliveryOutcome<C> | Error)[]) {
  const deliveries: DeliveryByChannel[C][] = [];
  const made: ChannelProvider<C> = {
    name: 'scripted',
    async deliver(delivery) {
      deliveries.push(delivery);
      const response = responses.shift();
      if (response instanceof Error) throw response;
      return response ?? { kind: 'sent', fields: {} };
    },
  };
  return { provider: made, deliveries };
}

const CALL = { type: 'reminder', to: { id: 'ada', number: '+12025550123' }, call: { message: 'Hi' } };

export async function accepted(body: object = CALL): Promise<string> {
  return (await call(send, { key: account.secret.key, body })).json.trackingId;
}

/** Delivers a batch of messages that were received `attempt` times, and returns the messages that stay on the queue. */
export const receive = (handler: QueueHandler, attempt: number, ...trackingIds: string[]) =>
  deliverMessages(
    handler,
    ...trackingIds.map((trackingId) => ({ body: { trackingId }, attempt, id: `m-${trackingId}` })),
  );

/** Starts this set-up for the tests of a file. */
export function useDelivering(): void {
  use(app, account);
  beforeAll(() => {
    Object.assign(process.env, { EMAIL_PROVIDER: 'sandbox', MAIL_DOMAIN: 'mail.example.com' });
  });
  beforeEach(() => {
    waited.length = 0;
    replace(queues, () => ({
      send: async () => [],
      changeVisibility: async (queue, handle, seconds) => void waited.push({ queue, handle, seconds }),
      countWaiting: async () => 0,
    }));
  });
}
