import { expect, it } from 'vitest';
import type { InappDelivery } from '../../../../shared/channels/channel.ts';
import { createInappProvider } from '../../../../shared/channels/inapp/inapp.ts';
import { createRealtimePublisher } from '../../../../shared/channels/inapp/realtime.ts';
import { connections } from '../../../../shared/database/entities/inapp/connections.ts';
import { inappItems } from '../../../../shared/database/entities/inapp/inapp-items.ts';
import { systemClock } from '../../../../shared/runtime/clock.ts';
import { resolve } from '../../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../../shared/runtime/values/ids.ts';
import { createTestApp } from '../../../support/app.ts';

const ENVIRONMENT = 'environment';

function delivery(): InappDelivery {
  return {
    trackingId: newTrackingId(Date.now()),
    accountId: 'account',
    environmentId: ENVIRONMENT,
    notificationId: 'comment',
    userId: 'ada',
    attempt: 1,
    title: 'Hello',
    acceptedAtMs: Date.now(),
    parameters: {},
    deliveryOptions: {},
    expiresAtSeconds: Math.ceil(Date.now() / 1000) + 3600,
  };
}

it('counts an item as sent while the socket is down, and throws when the item cannot be stored', async () => {
  await createTestApp();
  const [items, open] = [resolve(inappItems), resolve(connections)];
  let isBroken = false;
  const publisher = createRealtimePublisher({
    connections: open,
    clock: systemClock,
    async post() {
      if (isBroken) throw new RangeError('the text is x');
      return 'accepted';
    },
  });
  const provider = createInappProvider({ items, publisher, clock: systemClock });
  const nowMs = Date.now();
  await open.open({ connectionId: 'c1', environmentId: ENVIRONMENT, userId: 'ada', openedAtMs: nowMs });
  expect(await provider.deliver(delivery())).toEqual({ kind: 'sent', fields: {}, delivered: {} });
  isBroken = true;
  expect(await provider.deliver(delivery())).toEqual({ kind: 'sent', fields: {} });
  const unstorable = createInappProvider({
    items: { ...items, add: () => Promise.reject(new Error('the table takes no writes')) },
    publisher,
    clock: systemClock,
  });
  await expect(unstorable.deliver(delivery())).rejects.toThrow('the table takes no writes');
});
