import { expect, it } from 'vitest';
import { handler as getStatus } from '../../../functions/health/get-status.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { useApp } from '../../support/use-app.ts';

useApp();

const invoke = (handler: (event: never) => Promise<{ statusCode: number; body: string }>, event: unknown) =>
  handler(event as never);

it.each([[null], [undefined], ['text'], [7], [true], [[]]])('an invocation with %j is 400', async (event) => {
  for (const handler of [send, getStatus]) {
    const response = await invoke(handler, event);
    expect([response.statusCode, JSON.parse(response.body).error.code]).toEqual([400, 'INVALID_REQUEST']);
  }
});

it('an empty object is a request without anything', async () => {
  expect((await invoke(getStatus, {})).statusCode).toBe(200);
  expect((await invoke(send, {})).statusCode).toBe(401);
});
