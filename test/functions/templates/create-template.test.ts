import { describe, expect, it } from 'vitest';
import { handler as listTypes } from '../../../functions/types/list-types.ts';
import { call, createTestAccount, MADE_AT } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';
import { accountWithType, addType, templatesOf } from './setup.ts';

const app = useApp();

const EVERY_MODE = { instant: true, hourly: true, daily: true, weekly: true, monthly: true };
const NO_MODE = { instant: false, hourly: false, daily: false, weekly: false, monthly: false };

/** Full content of each channel, all of it Liquid or other than ASCII. */
const CONTENT: Record<string, object> = {
  EMAIL: {
    html: '<p>{{ user.id }} ☂</p>',
    previewText: '{{ a }}',
    internal: '{% not liquid',
    subject: 'Hi {{ name | upcase }}',
    senderName: 'Ünï',
    senderEmail: '{{ team }}@example.com',
  },
  INAPP_WEB: {
    title: '{{ a }}',
    redirectURL: 'https://example.com/{{ id }}',
    imageURL: '/i.png',
    instant: { title: 'x', redirectURL: '/', imageURL: '{{ i }}' },
    batch: { title: '{{ _items.size }}', redirectURL: '/', imageURL: '' },
  },
  SMS: { text: '{% if a %}☂{% endif %}' },
  CALL: { text: 'Hello {{ name }}' },
  PUSH: { title: '{{ a }}', message: '{{ b }}' },
  WEB_PUSH: { title: 'a', message: 'b', icon: 'https://example.com/i.png', url: '/{{ id }}' },
  CHAT: {
    text: '{{ a }}',
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*{{ a }}*' } }],
    username: 'bot',
    icon: ':ghost:',
  },
};

describe('POST …/templates', () => {
  it.each(Object.keys(CONTENT))('stores every field of a template of %s unchanged', async (channel) => {
    const account = await accountWithType(app);
    const templates = templatesOf(account, 'comment', channel);
    const made = await templates.create({ templateId: 'Ünï #%/', ...CONTENT[channel] });
    const modes = channel === 'INAPP_WEB' ? { instant: true, batch: true } : EVERY_MODE;
    const expected = {
      envId: account.environment.environmentId,
      notificationId: 'comment',
      templateId: 'Ünï #%/',
      channel,
      default: true,
      isDefaultFor: modes,
      ...MADE_AT,
      updatedBy: account.secret.issuedBy,
    };
    expect(made).toMatchObject({ status: 200 });
    expect(made.json).toEqual(expected);
    expect((await templates.get('Ünï #%/')).json).toEqual({
      ...expected,
      ...CONTENT[channel],
      samples: expect.any(Object),
    });
    expect((await templates.list()).json).toEqual({ templates: [expected] });
  });

  it('creates an ID when none is given, and ignores null fields', async () => {
    const templates = templatesOf(await accountWithType(app));
    const { json } = await templates.create({ subject: null, html: 'x' });
    expect(json.templateId).toMatch(/^[0-9A-Za-z]{16}$/);
    expect((await templates.get(json.templateId)).json).toEqual({ ...json, html: 'x' });
  });

  it('makes the first template of a channel the default of every mode, and no later one', async () => {
    const account = await accountWithType(app);
    const [email, sms] = [templatesOf(account), templatesOf(account, 'comment', 'SMS')];
    expect((await email.create({ templateId: 'a' })).json.isDefaultFor).toEqual(EVERY_MODE);
    expect((await email.create({ templateId: 'b' })).json).toMatchObject({
      default: false,
      isDefaultFor: NO_MODE,
    });
    expect((await sms.create({ templateId: 'a' })).json.isDefaultFor).toEqual(EVERY_MODE);
    const types = await call(listTypes, { key: account.secret.key });
    expect(types.json[0].templates).toEqual([
      { channel: 'EMAIL', templateIds: ['a', 'b'] },
      { channel: 'SMS', templateIds: ['a'] },
    ]);
  });

  it('returns the specific code for a field of another channel, names it and stores nothing', async () => {
    const templates = templatesOf(await accountWithType(app), 'comment', 'SMS');
    const { status, json } = await templates.create({ text: 'x', html: 'y', batch: null });
    expect([status, json.error.code]).toEqual([400, 'INVALID_FIELD_FOR_CHANNEL']);
    expect(json.error.message).toBe('Fields that do not apply to SMS: html, batch.');
    expect((await templates.list()).json).toEqual({ templates: [] });
  });

  it('names every field with invalid Liquid without repeating its text', async () => {
    const templates = templatesOf(await accountWithType(app));
    const body = { subject: '{{ secretname', html: '{% if secretname %}', previewText: '{{ fine }}' };
    const { status, json } = await templates.create(body);
    expect([status, json.error.code]).toEqual([400, 'INVALID_TEMPLATE']);
    expect(json.error.message).toContain('subject: ');
    expect(json.error.message).toContain('html: ');
    expect(json.error.message).not.toMatch(/previewText|secretname/);
    const chat = templatesOf(await accountWithType(app), 'comment', 'CHAT');
    const inBlocks = await chat.create({ text: 'x', blocks: [{ text: { text: '{% nope %}' } }] });
    expect([inBlocks.json.error.code, inBlocks.json.error.message]).toEqual([
      'INVALID_TEMPLATE',
      expect.stringContaining('blocks: '),
    ]);
  });

  it('returns 400 for invalid values of every field', async () => {
    const account = await accountWithType(app);
    const cases: [string, string, unknown[]][] = [
      ['EMAIL', 'templateId', [7, null, '', ' x', 'x'.repeat(2048), 'default-selection', '\ud800']],
      ['EMAIL', 'html', [7, {}, [], true]],
      ['EMAIL', 'subject', [7, {}, ['x']]],
      ['INAPP_WEB', 'instant', [7, 'x', {}, { imageURL: 7 }]],
      ['INAPP_WEB', 'batch', [7, { title: 'x', imageURL: 'y' }]],
      ['SMS', 'text', [7, {}]],
      ['WEB_PUSH', 'icon', [7, {}]],
      ['CHAT', 'blocks', ['x', {}, [7], ['x'], Array(51).fill({})]],
    ];
    for (const [channel, field, values] of cases) {
      const templates = templatesOf(account, 'comment', channel);
      for (const value of values) {
        const { status, json } = await templates.create({ [field]: value });
        expect([status, json.error?.code, value]).toEqual([400, 'INVALID_REQUEST', value]);
        expect(json.error.message).toContain(`body.${field}`);
      }
      expect((await templates.list()).json.templates).toEqual([]);
    }
  });

  it('returns 400 for content larger than one item, plain or compressed', async () => {
    const templates = templatesOf(await accountWithType(app));
    const noise = Array.from({ length: 60_000 }, (_, index) => (index * 2654435761 * 97).toString(36)).join(
      '',
    );
    for (const html of ['x'.repeat(1_000_001), noise.slice(0, 900_000)]) {
      const { status, json } = await templates.create({ html });
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    }
    expect((await templates.create({ html: 'x'.repeat(900_000) })).status).toBe(200);
  });

  it('accepts at most 100 templates per type', async () => {
    const account = await accountWithType(app);
    for (let index = 0; index < 100; index += 1) {
      expect((await templatesOf(account).create({ templateId: `t${index}` })).status).toBe(200);
    }
    const { status, json } = await templatesOf(account, 'comment', 'SMS').create({ text: 'x' });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain('at most 100 templates');
  });

  it('creates one template from concurrent requests with the same ID, and every template with another ID', async () => {
    const templates = templatesOf(await accountWithType(app));
    const ids = ['same', 'same', 'same', 'a', 'b', 'c'];
    const responses = await Promise.all(
      ids.map((templateId, index) => templates.create({ templateId, subject: `${index}` })),
    );
    const refused = responses.filter((response) => response.status !== 200);
    expect(refused.map((response) => response.json.error.code)).toEqual([
      'DUPLICATE_RESOURCE',
      'DUPLICATE_RESOURCE',
    ]);
    const { json } = await templates.list();
    expect(json.templates.map((each: { templateId: string }) => each.templateId).sort()).toEqual([
      'a',
      'b',
      'c',
      'same',
    ]);
    expect(json.templates.filter((each: { default: boolean }) => each.default)).toHaveLength(1);
  });
});

describe('GET …/templates and …/{templateId}', () => {
  it('returns an empty list for a channel without templates', async () => {
    const account = await accountWithType(app);
    expect((await templatesOf(account, 'comment', 'CALL').list()).json).toEqual({ templates: [] });
  });
});

describe('a template of an unknown type, template, channel or account', () => {
  it('returns RESOURCE_NOT_FOUND on every endpoint and remains unchanged', async () => {
    const [owner, stranger] = [await accountWithType(app), await createTestAccount(app)];
    const own = templatesOf(owner);
    await own.create({ templateId: 'a', html: 'mine' });
    const before = (await own.get('a')).json;
    const foreign = templatesOf(stranger);
    const unknown = templatesOf(owner, 'unknown ☂');
    const otherChannel = templatesOf(owner, 'comment', 'SMS');
    const responses = [
      await foreign.create({ templateId: 'b' }),
      await foreign.list(),
      await foreign.get('a'),
      await foreign.patch('a', { html: 'theirs' }),
      await foreign.remove('a'),
      await foreign.select({ templateId: 'a', modes: ['instant'] }),
      await unknown.create({}),
      await unknown.list(),
      await own.get('b'),
      await own.patch('b', { html: 'x' }),
      await own.remove('b'),
      await own.select({ templateId: 'b', modes: ['instant'] }),
      await otherChannel.get('a'),
      await otherChannel.patch('a', { text: 'x' }),
      await otherChannel.remove('a'),
    ];
    for (const { status, json } of responses) {
      expect([status, json.error?.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
    }
    expect((await own.get('a')).json).toEqual(before);
    await addType(stranger);
    expect((await foreign.list()).json).toEqual({ templates: [] });
  });

  it.each(['FAX', 'email', '', 'x'.repeat(2048), '☂'])(
    'returns INVALID_CHANNEL for the channel %j',
    async (channel) => {
      const templates = templatesOf(await accountWithType(app), 'comment', channel);
      for (const { status, json } of [
        await templates.create({}),
        await templates.list(),
        await templates.get('a'),
        await templates.patch('a', {}),
        await templates.remove('a'),
        await templates.select({ templateId: 'a', modes: ['instant'] }),
      ]) {
        expect([status, json.error.code]).toEqual([400, 'INVALID_CHANNEL']);
        expect(json.error.fix).toContain('EMAIL, INAPP_WEB, SMS, CALL, PUSH, WEB_PUSH, CHAT');
      }
    },
  );
});
