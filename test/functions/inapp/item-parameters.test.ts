import { describe, expect, it } from 'vitest';
import { handler as list } from '../../../functions/inapp/list-inapp.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createTemplate } from '../../../functions/templates/create-template.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as deliverInapp } from '../../../functions/workers/delivery/deliver-inapp.ts';
import { call } from '../../support/app.ts';
import { everythingIn } from '../../support/everything.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { deliver } from '../../support/workers.ts';

const app = useApp();
const account = useAccount(app, 'test');
const PARAMETERS = { name: 'Ada', token: 'K9-secret', internalRisk: 7, thread: { id: 'th1' }, 'odd name': 1 };

async function itemOf(inapp: object | undefined, over: object = {}) {
  const { key } = account.secret;
  const body = { type: 'comment', to: { id: 'ada' }, parameters: PARAMETERS, inapp, ...over };
  const { json } = await call(send, { key, body });
  await deliver(deliverInapp, { trackingId: json.trackingId });
  const { notifications } = (await call(list, { key: account.public.key, query: { userId: 'ada' } })).json;
  return notifications[0];
}

const createComment = (options?: object) =>
  call(createType, {
    key: account.secret.key,
    body: { notificationId: 'comment', title: 'c', channels: ['INAPP_WEB'], options },
  });

it.each([
  ['a text that only looks like one', { title: 'Your token and internalRisk' }, []],
  ['an output', { title: 'Hi {{ name }}' }, ['name']],
  [
    'a path',
    { title: '{{ parameters.name | upcase }}', url: 'https://e.com/{{thread.id}}' },
    ['name', 'thread'],
  ],
  ['a condition', { title: '{% if token %}x{% else %}y{% endif %}' }, ['token']],
  ['a quoted name in brackets', { title: '{{ parameters["odd name"] }}' }, ['odd name']],
  ['a text in a tag', { title: '{% if name == "token" %}x{% else %}y{% endif %}' }, ['name']],
  ['a field of the user', { title: 'T {{ user.name }}' }, []],
])('has only the parameters that the content names: %s', async (_, inapp, names) => {
  await createComment();
  const item = await itemOf(inapp);
  expect(Object.keys(item.parameters ?? {}).toSorted()).toEqual(names.toSorted());
});

it('has those of its template and of batchingKey', async () => {
  await createComment({
    INAPP_WEB: { defaultDeliveryOption: 'instant', batching: true, batchingKey: 'parameters.thread.id' },
  });
  await call(createTemplate, {
    key: account.secret.key,
    path: { notificationId: 'comment', channel: 'INAPP_WEB' },
    body: { templateId: 't', title: 'From {{ name }}' },
  });
  const item = await itemOf(undefined);
  expect(item).toMatchObject({ title: 'From Ada', parameters: { name: 'Ada', thread: { id: 'th1' } } });
  expect(Object.keys(item.parameters)).toHaveLength(2);
});

it('stores no other parameter in the item', async () => {
  await createComment();
  await itemOf({ title: 'Hi' }, { parameters: { token: 'only-in-email' } });
  const items = (await everythingIn(app)).split('{"pk"').filter((each) => each.includes('INAPP#'));
  expect(items.length).toBeGreaterThan(0);
  expect(items.join()).not.toContain('only-in-email');
});

describe('body and actions of an in-app item', () => {
  it('are rendered from the request, and links that may not be opened are left out', async () => {
    await createComment();
    const item = await itemOf({
      title: 'Hi',
      body: 'Dear {{ name }}',
      actions: [
        { label: 'Open {{ thread.id }}', url: 'https://e.com/{{ thread.id }}' },
        { label: 'No', url: 'javascript:alert(1)' },
      ],
    });
    expect(item).toMatchObject({
      title: 'Hi',
      body: 'Dear Ada',
      actions: [{ label: 'Open th1', url: 'https://e.com/th1' }, { label: 'No' }],
    });
    expect(item.actions[1].url).toBeUndefined();
  });

  it('come from the template where the request has none', async () => {
    await createComment();
    await call(createTemplate, {
      key: account.secret.key,
      path: { notificationId: 'comment', channel: 'INAPP_WEB' },
      body: { templateId: 't', title: 'T', body: 'For {{ name }}', actions: [{ label: 'Read' }] },
    });
    expect(await itemOf(undefined)).toMatchObject({
      title: 'T',
      body: 'For Ada',
      actions: [{ label: 'Read' }],
    });
    app.clock.nowMs += 1;
    expect(await itemOf({ title: 'Own', body: 'B' })).toMatchObject({
      title: 'Own',
      body: 'B',
      actions: [{ label: 'Read' }],
    });
  });

  it.each([
    [[{ label: 'a' }, { label: 'b' }, { label: 'c' }], 'actions'],
    [[{ label: '' }], 'label'],
    [[{ url: 'https://e.com' }], 'label'],
    [[{ label: 'a', href: 'x' }], 'href'],
    ['yes', 'actions'],
  ])('rejects the actions %j', async (actions, field) => {
    const { status, json } = await call(send, {
      key: account.secret.key,
      body: { type: 'comment', to: { id: 'ada' }, inapp: { title: 'x', actions } },
    });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain(field);
  });
});
