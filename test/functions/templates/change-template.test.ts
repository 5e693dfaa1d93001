import { describe, expect, it } from 'vitest';
import { handler as updateTemplate } from '../../../functions/templates/update-template.ts';
import { call } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';
import { accountWithType, entryOf, templatesOf } from './setup.ts';

const app = useApp();

const path = { notificationId: 'comment', channel: 'EMAIL', templateId: 'a' };

describe('PATCH …/templates/{templateId}', () => {
  it('changes only the given fields, and null clears', async () => {
    const templates = templatesOf(await accountWithType(app));
    const made = await templates.create({ templateId: 'a', html: '<p>', subject: 's', internal: '{}' });
    const steps: [object, object][] = [
      [{}, { html: '<p>', subject: 's', internal: '{}' }],
      [{ subject: '' }, { html: '<p>', subject: '', internal: '{}' }],
      [
        { internal: null, previewText: '☂' },
        { html: '<p>', subject: '', previewText: '☂' },
      ],
    ];
    for (const [body, content] of steps) {
      const response = await templates.patch('a', body);
      expect(response.status).toBe(200);
      const by = Object.keys(body).length > 0 ? { updatedBy: expect.any(String) } : {};
      const changed = { ...made.json, ...by };
      expect(response.json).toEqual(changed);
      expect((await templates.get('a')).json).toEqual({ ...changed, ...content });
    }
  });

  it('replaces a nested block completely, and requires it to be complete', async () => {
    const templates = templatesOf(await accountWithType(app), 'comment', 'INAPP_WEB');
    const instant = { title: 't', redirectURL: '/r', imageURL: '/i' };
    await templates.create({ templateId: 'a', instant });
    const { json } = await templates.patch('a', { instant: { title: 'u' } });
    expect([json.error.code, json.error.message]).toEqual([
      'INVALID_REQUEST',
      expect.stringContaining('body.instant.imageURL is required'),
    ]);
    await templates.patch('a', { instant: { imageURL: '/j' }, title: 'x' });
    expect((await templates.get('a')).json).toMatchObject({ title: 'x', instant: { imageURL: '/j' } });
    expect((await templates.get('a')).json.instant).not.toHaveProperty('title');
  });

  it('returns 400 for fields of another channel, wrong types and invalid Liquid, and changes nothing', async () => {
    const templates = templatesOf(await accountWithType(app));
    await templates.create({ templateId: 'a', html: 'before' });
    const before = (await templates.get('a')).json;
    const cases: [object, string][] = [
      [{ html: 'x', message: 'y' }, 'INVALID_FIELD_FOR_CHANNEL'],
      [{ blocks: [] }, 'INVALID_FIELD_FOR_CHANNEL'],
      [{ html: 7 }, 'INVALID_REQUEST'],
      [{ subject: ['x'] }, 'INVALID_REQUEST'],
      [{ html: '{{ a' }, 'INVALID_TEMPLATE'],
      [{ subject: '{% for %}' }, 'INVALID_TEMPLATE'],
      [{ subject: "{% component 'x' %}" }, 'INVALID_TEMPLATE'],
      [{ html: `{% component '${'x'.repeat(300)}' %}` }, 'INVALID_TEMPLATE'],
      [{ html: 'x'.repeat(1_000_001) }, 'INVALID_REQUEST'],
    ];
    for (const [body, code] of cases) {
      const { status, json } = await templates.patch('a', body);
      expect([status, json.error.code, Object.keys(body)]).toEqual([400, code, Object.keys(body)]);
      expect(json.error.fix).toBeTruthy();
    }
    for (const rawBody of ['', '{', '[]', 'null', '7']) {
      const account = await accountWithType(app);
      expect((await call(updateTemplate, { key: account.secret.key, path, rawBody })).status).toBe(400);
    }
    expect((await templates.get('a')).json).toEqual(before);
  });

  it('increases the version with every change, and not when nothing changes', async () => {
    const account = await accountWithType(app);
    const templates = templatesOf(account);
    await templates.create({ templateId: 'a', html: '1' });
    const versions = [(await entryOf(account, 'a'))?.version ?? 0];
    for (const html of ['2', '3', '1']) {
      await templates.patch('a', { html });
      versions.push((await entryOf(account, 'a'))?.version ?? 0);
    }
    expect(versions).toEqual([...new Set(versions)].sort((left, right) => left - right));
    await templates.patch('a', { html: '1' });
    expect((await entryOf(account, 'a'))?.version).toBe(versions.at(-1));
  });

  it('keeps all concurrent changes of different fields', async () => {
    const account = await accountWithType(app);
    const templates = templatesOf(account);
    await templates.create({ templateId: 'a' });
    const fields = ['html', 'subject', 'previewText', 'senderName', 'senderEmail', 'internal'];
    const responses = await Promise.all(fields.map((field) => templates.patch('a', { [field]: field })));
    expect(responses.map((response) => response.status)).toEqual(fields.map(() => 200));
    expect((await templates.get('a')).json).toMatchObject(
      Object.fromEntries(fields.map((field) => [field, field])),
    );
  });
});

describe('PATCH …/templates/default-selection', () => {
  it('leaves one default per mode', async () => {
    const templates = templatesOf(await accountWithType(app));
    await templates.create({ templateId: 'a' });
    await templates.create({ templateId: 'b' });
    const response = await templates.select({ templateId: 'b', modes: ['weekly', 'daily', 'weekly'] });
    const NONE = { instant: false, hourly: false, daily: false, weekly: false, monthly: false };
    expect(response.json).toMatchObject({
      templateId: 'b',
      default: false,
      isDefaultFor: { ...NONE, daily: true, weekly: true },
    });
    const rest = { ...NONE, instant: true, hourly: true, monthly: true };
    expect((await templates.get('a')).json).toMatchObject({ default: true, isDefaultFor: rest });
    await templates.select({ templateId: 'b', modes: ['instant', 'hourly', 'monthly'] });
    expect((await templates.get('a')).json).toMatchObject({ default: false, isDefaultFor: NONE });
    expect((await templates.get('b')).json.default).toBe(true);
  });

  it('accepts instant and batch for INAPP_WEB, and no other modes', async () => {
    const templates = templatesOf(await accountWithType(app), 'comment', 'INAPP_WEB');
    await templates.create({ templateId: 'a' });
    await templates.create({ templateId: 'b' });
    const response = await templates.select({ templateId: 'b', modes: ['batch'] });
    expect(response.json.isDefaultFor).toEqual({ instant: false, batch: true });
    const { status, json } = await templates.select({ templateId: 'b', modes: ['daily'] });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain('body.modes must be modes of INAPP_WEB: instant, batch');
  });

  it('returns 400 for invalid templates and modes', async () => {
    const templates = templatesOf(await accountWithType(app));
    await templates.create({ templateId: 'a' });
    const cases: Record<string, unknown[]> = {
      templateId: [undefined, null, 7, '', ' x', 'x'.repeat(2048)],
      modes: [undefined, null, 'instant', {}, [], [7], ['off'], ['batch'], ['☂'], Array(51).fill('daily')],
    };
    for (const [field, values] of Object.entries(cases)) {
      for (const value of values) {
        const body = { templateId: 'a', modes: ['instant'], [field]: value };
        const { status, json } = await templates.select(body);
        expect([status, json.error?.code, value]).toEqual([400, 'INVALID_REQUEST', value]);
        expect(json.error.message).toContain(`body.${field}`);
      }
    }
  });

  it('leaves one default per mode after concurrent selections', async () => {
    const templates = templatesOf(await accountWithType(app));
    const ids = ['a', 'b', 'c', 'd'];
    for (const templateId of ids) await templates.create({ templateId });
    await Promise.all(ids.map((templateId) => templates.select({ templateId, modes: ['instant', 'daily'] })));
    const { json } = await templates.list();
    for (const mode of ['instant', 'hourly', 'daily', 'weekly', 'monthly']) {
      const defaults = json.templates.filter(
        (each: { isDefaultFor: Record<string, boolean> }) => each.isDefaultFor[mode],
      );
      expect([mode, defaults.length]).toEqual([mode, 1]);
    }
  });
});

describe('DELETE …/templates/{templateId}', () => {
  it('deletes it once and assigns its modes to the oldest remaining template', async () => {
    const account = await accountWithType(app);
    const templates = templatesOf(account);
    for (const templateId of ['a', 'b', 'c']) await templates.create({ templateId });
    await templates.select({ templateId: 'c', modes: ['daily'] });
    expect(await templates.remove('a')).toMatchObject({
      status: 200,
      json: { message: 'The template is deleted.' },
    });
    expect((await templates.list()).json.templates).toMatchObject([
      { templateId: 'b', isDefaultFor: { instant: true, hourly: true, daily: false } },
      { templateId: 'c', isDefaultFor: { instant: false, hourly: false, daily: true } },
    ]);
    expect((await templates.remove('a')).json.error.code).toBe('RESOURCE_NOT_FOUND');
    await templates.remove('b');
    await templates.remove('c');
    expect((await templates.list()).json).toEqual({ templates: [] });
    expect((await templates.create({ templateId: 'a' })).json.default).toBe(true);
  });
});
