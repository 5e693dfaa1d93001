import { expect, it } from 'vitest';
import { pacedOrder } from '../../../../shared/providers/order/ordered-provider.ts';
import { entriesOf } from '../../../../shared/providers/order/provider-order.ts';
import { useApp } from '../../../support/use-app.ts';

useApp();

it.each([
  ['sandbox', false],
  ['twilio', true],
])('%s waits for its turn: %s', (name, isPaced) => {
  const [entry = { text: name, provider: name }] = entriesOf([name]);
  const build = () => Promise.reject(new Error('not built'));
  const provider = pacedOrder('SMS', [entry], build, { perSecond: 1 });
  expect(provider.awaitTurn !== undefined).toBe(isPaced);
});
