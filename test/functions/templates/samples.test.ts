import { expect, it } from 'vitest';
import { handler as sendTest } from '../../../functions/sending/send-test-email.ts';
import { handler as preview } from '../../../functions/templates/preview-template.ts';
import { call } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';
import { accountWithType, templatesOf } from './setup.ts';

const app = useApp();

const CONTENT = { subject: '{{ author }} commented', html: '<p>{{ post.title }}</p>' };
const SAMPLES = { author: 'Ada', post: { title: 'Title' } };

it('derives samples when a template is first saved, keeps those that were edited, and derives them again with null', async () => {
  const templates = templatesOf(await accountWithType(app));
  const samples = async () => (await templates.get('t')).json.samples;
  await templates.create({ templateId: 't', ...CONTENT });
  expect(await samples()).toEqual(SAMPLES);
  const edited = { author: 'Grace', _items: [{ n: 1 }] };
  expect((await templates.patch('t', { samples: edited })).json).not.toHaveProperty('error');
  expect(await samples()).toEqual(edited);
  await templates.patch('t', { html: '{{ later }}' });
  expect(await samples()).toEqual(edited);
  await templates.patch('t', { samples: null });
  expect(await samples()).toEqual({ author: 'Ada', later: 'Later' });
  await templates.create({ templateId: 'own', ...CONTENT, samples: { author: 'Own' } });
  expect((await templates.get('own')).json.samples).toEqual({ author: 'Own' });
});

it('derives samples with the first variable', async () => {
  const templates = templatesOf(await accountWithType(app), 'comment', 'SMS');
  await templates.create({ templateId: 't', text: 'Hello' });
  expect((await templates.get('t')).json).not.toHaveProperty('samples');
  await templates.patch('t', { text: 'Hello {{ name }}' });
  expect((await templates.get('t')).json.samples).toEqual({ name: 'Ada' });
});

it.each([[7], [[]], ['x'], [{ _items: {} }], [{ _items: ['x'] }], [{ text: 'x'.repeat(40_000) }]])(
  'returns 400 for the samples %.40j and changes nothing',
  async (samples) => {
    const account = await accountWithType(app);
    const templates = templatesOf(account);
    await templates.create({ templateId: 't', ...CONTENT });
    const path = { notificationId: 'comment', channel: 'EMAIL' };
    const responses = [
      await templates.create({ ...CONTENT, samples }),
      await templates.patch('t', { samples }),
      await call(preview, { key: account.secret.key, path, body: { template: { ...CONTENT, samples } } }),
    ];
    for (const { status, json } of responses)
      expect([status, json.error?.message]).toEqual([400, expect.stringContaining('samples')]);
    expect((await templates.get('t')).json.samples).toEqual(SAMPLES);
  },
);

it('sends a test with the samples of the default template, unless it has parameters', async () => {
  const account = await accountWithType(app);
  await templatesOf(account).create({ templateId: 't', ...CONTENT });
  const body = {
    notificationId: 'comment',
    to: 'ada@example.com',
    subject: 'Test: {{ author }}',
    html: '{{ post.title }}',
    fromAddress: 'hello@example.com',
    fromName: 'Shop',
  };
  const sent = async (more: object) => {
    const request = { key: account.secret.key, body: { ...body, ...more }, query: { dryRun: 'true' } };
    const { json } = await call(sendTest, request);
    return json.routing.find(({ channel }: { channel: string }) => channel === 'EMAIL').content;
  };
  expect(await sent({})).toMatchObject({ subject: 'Test: Ada', html: expect.stringContaining('Title') });
  expect(await sent({ parameters: { author: 'Bob' } })).toMatchObject({ subject: 'Test: Bob' });
  expect(await sent({ notificationId: 'unknown' })).toMatchObject({ subject: 'Test: ' });
});
