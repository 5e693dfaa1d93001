import { beforeEach, describe, expect, it } from 'vitest';
import { handler as discardDraft } from '../../../functions/templates/delete-template-draft.ts';
import { handler as getDraft } from '../../../functions/templates/get-template-draft.ts';
import { handler as getVersion } from '../../../functions/templates/get-template-version.ts';
import { handler as listVersions } from '../../../functions/templates/list-template-versions.ts';
import { handler as publishDraft } from '../../../functions/templates/publish-template-draft.ts';
import { handler as restoreVersion } from '../../../functions/templates/restore-template-version.ts';
import { handler as saveDraft } from '../../../functions/templates/save-template-draft.ts';
import { templateKey } from '../../../shared/database/keys/environment.ts';
import { call } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';
import { useStarted } from '../../support/use-started.ts';
import { accountWithType, addComponent, addType, removeType, templatesOf } from './setup.ts';

const app = useApp();
const account = useStarted(() => accountWithType(app));

let count = 0;
let notificationId = '';
let templates: ReturnType<typeof templatesOf>;
const by = () => account.secret.issuedBy;

type Options = {
  version?: unknown;
  body?: object;
  query?: Record<string, string>;
  headers?: Record<string, string>;
};
const on = (handler: typeof listVersions, { version, ...rest }: Options = {}) =>
  call(handler, {
    key: account.secret.key,
    path: {
      notificationId,
      channel: 'EMAIL',
      templateId: 'hi',
      ...(version ? { version: String(version) } : {}),
    },
    ...rest,
  });
const versions = async (query = {}): Promise<{ version: number; createdAt: string; by: string }[]> =>
  (await on(listVersions, { query })).json.versions;
const subjectOf = async (query = {}) => (await templates.get('hi', query)).json.subject;
const itemsBeside = async () => {
  const { pk } = templateKey(account.environment.environmentId, notificationId, 'EMAIL', 'hi');
  return (await app.database.queryAll(pk, '')).map(({ sk }) => String(sk).split('#', 1)[0]);
};

beforeEach(async () => {
  count += 1;
  notificationId = `v${count}`;
  await addType(account, notificationId);
  templates = templatesOf(account, notificationId);
  await templates.create({ templateId: 'hi', subject: 'First', html: '<p>1</p>' });
});

describe('the versions of a template', () => {
  it('have author and time, newest first, and their content', async () => {
    app.clock.nowMs += 60_000;
    await templates.patch('hi', { subject: 'Second' });
    const [second, first, ...more] = await versions();
    expect(more).toEqual([]);
    expect(second).toEqual({
      version: second?.version,
      createdAt: new Date(app.clock.nowMs).toISOString(),
      by: by(),
    });
    expect(first?.by).toBe(by());
    expect(Date.parse(second?.createdAt ?? '') - Date.parse(first?.createdAt ?? '')).toBe(60_000);
    const read = async (version: unknown) => (await on(getVersion, { version })).json;
    expect(await read(second?.version)).toMatchObject({ subject: 'Second', html: '<p>1</p>' });
    expect(await read(first?.version)).toMatchObject({ ...first, subject: 'First', html: '<p>1</p>' });
  });

  it('are the last ten', async () => {
    for (let index = 0; index < 14; index += 1) await templates.patch('hi', { subject: `S${index}` });
    const listed = await versions();
    expect(listed).toHaveLength(10);
    const oldest = await on(getVersion, { version: listed.at(-1)?.version });
    expect(oldest.json.subject).toBe('S4');
    expect((await itemsBeside()).filter((kind) => kind === 'VERSION')).toHaveLength(9);
  });

  it('stay when a change leaves the content as it is', async () => {
    await templates.patch('hi', { subject: 'First' });
    expect(await versions()).toHaveLength(1);
  });

  it('are separate for each language', async () => {
    await templates.create({ templateId: 'hi', locale: 'de', subject: 'Erste', html: '<p>1</p>' });
    await templates.patch('hi', { subject: 'Zweite' }, { locale: 'de' });
    expect([(await versions()).length, (await versions({ locale: 'de' })).length]).toEqual([1, 2]);
    const [, first] = await versions({ locale: 'de' });
    await on(restoreVersion, { version: first?.version, query: { locale: 'de' } });
    expect([await subjectOf(), await subjectOf({ locale: 'de' })]).toEqual(['First', 'Erste']);
  });

  it('are restored as a new version, so that the replaced one stays', async () => {
    await templates.patch('hi', { subject: 'Second', previewText: 'Added' });
    const [, first] = await versions();
    const { status, response } = await on(restoreVersion, { version: first?.version });
    expect(status).toBe(200);
    expect((await templates.get('hi')).json).toMatchObject({ subject: 'First' });
    expect((await templates.get('hi')).json.previewText).toBeUndefined();
    expect(response.headers.etag).toBe((await templates.get('hi')).response.headers.etag);
    const [third, second] = await versions();
    expect((await on(getVersion, { version: second?.version })).json.subject).toBe('Second');
    expect((await on(restoreVersion, { version: third?.version })).status).toBe(200);
    expect(await versions()).toHaveLength(3);
  });

  it('are not restored against If-Match, or with a component that is gone', async () => {
    await addComponent(account, `c${count}`);
    await templates.patch('hi', { html: `{% component 'c${count}' %}` });
    const { etag } = (await templates.get('hi')).response.headers;
    await templates.patch('hi', { html: '<p>3</p>' });
    const [, second] = await versions();
    const late = await on(restoreVersion, { version: second?.version, headers: { 'if-match': etag ?? '' } });
    expect([late.status, late.json.error.code]).toEqual([400, 'CHANGED_MEANWHILE']);
    await call((await import('../../../functions/components/delete-component.ts')).handler, {
      key: account.secret.key,
      path: { componentId: `c${count}` },
    });
    const gone = await on(restoreVersion, { version: second?.version });
    expect([gone.status, gone.json.error.code]).toEqual([400, 'INVALID_TEMPLATE']);
    expect((await templates.get('hi')).json.html).toBe('<p>3</p>');
  });

  it.each([
    ['get', getVersion, '7', 'RESOURCE_NOT_FOUND'],
    ['restore', restoreVersion, '7', 'RESOURCE_NOT_FOUND'],
    ['get', getVersion, 'x', 'INVALID_REQUEST'],
    ['restore', restoreVersion, '1e3', 'INVALID_REQUEST'],
  ])('%s returns an error for a version that is not kept', async (_, handler, version, code) => {
    const { status, json } = await on(handler as typeof getVersion, { version });
    expect([status, json.error.code]).toEqual([400, code]);
  });

  it('go with the template and with the type', async () => {
    await templates.patch('hi', { subject: 'Second' });
    await on(saveDraft, { body: { subject: 'Draft', html: '<p>d</p>' } });
    await templates.remove('hi');
    expect(await itemsBeside()).toEqual([]);
    await templates.create({ templateId: 'hi', subject: 'Again', html: '<p>1</p>' });
    expect(await versions()).toHaveLength(1);
    await templates.patch('hi', { subject: 'Second' });
    await on(saveDraft, { body: { subject: 'Draft', html: '<p>d</p>' } });
    await removeType(account, notificationId);
    expect(await itemsBeside()).toEqual([]);
  });
});

describe('the draft of a template', () => {
  const body = { subject: 'Draft {{ name }}', html: '<p>d</p>' };

  it('sends only once it is published', async () => {
    const saved = await on(saveDraft, { body });
    expect([saved.status, saved.json.by]).toEqual([200, by()]);
    expect(await subjectOf()).toBe('First');
    expect((await on(getDraft)).json).toMatchObject({ ...body, by: by(), version: saved.json.version });
    const { status, response } = await on(publishDraft);
    expect(status).toBe(200);
    expect(response.headers.etag).toBe((await templates.get('hi')).response.headers.etag);
    expect(await subjectOf()).toBe('Draft {{ name }}');
    expect(await versions()).toHaveLength(2);
    expect((await on(getDraft)).json.error.code).toBe('RESOURCE_NOT_FOUND');
    expect((await on(publishDraft)).json.error.code).toBe('RESOURCE_NOT_FOUND');
  });

  it('is replaced as a whole and discarded', async () => {
    await on(saveDraft, { body: { ...body, previewText: 'x' } });
    await on(saveDraft, { body });
    expect((await on(getDraft)).json.previewText).toBeUndefined();
    expect((await on(discardDraft)).status).toBe(200);
    expect((await on(discardDraft)).status).toBe(200);
    expect((await on(getDraft)).status).toBe(400);
    expect(await itemsBeside()).toEqual(['TEMPLATE']);
  });

  it.each([
    ['Liquid that is not closed', { html: '{% if %}' }, 'INVALID_TEMPLATE'],
    ['a field of another channel', { title: 'x' }, 'INVALID_FIELD_FOR_CHANNEL'],
    ['an unknown component', { html: "{% component 'none' %}" }, 'INVALID_TEMPLATE'],
  ])('is not saved with %s', async (_, wrong, code) => {
    const { status, json } = await on(saveDraft, { body: { subject: 'x', ...wrong } });
    expect([status, json.error.code]).toEqual([400, code]);
    expect((await on(getDraft)).json.error.code).toBe('RESOURCE_NOT_FOUND');
  });

  it('is neither saved nor published over a change that its author has not seen', async () => {
    const { etag = '' } = (await templates.get('hi')).response.headers;
    await on(saveDraft, { body, headers: { 'if-match': etag } });
    await templates.patch('hi', { subject: 'Second' });
    const headers = { 'if-match': etag };
    expect((await on(saveDraft, { body, headers })).json.error.code).toBe('CHANGED_MEANWHILE');
    expect((await on(publishDraft, { headers })).json.error.code).toBe('CHANGED_MEANWHILE');
    expect(await subjectOf()).toBe('Second');
    expect((await on(getDraft)).status).toBe(200);
  });

  it('is published over a change that was made after it began only with If-Match', async () => {
    await on(saveDraft, { body });
    await templates.patch('hi', { subject: 'Second' });
    expect((await on(publishDraft)).json.error.code).toBe('CHANGED_MEANWHILE');
    expect(await subjectOf()).toBe('Second');
    const { etag = '' } = (await templates.get('hi')).response.headers;
    expect((await on(publishDraft, { headers: { 'if-match': etag } })).status).toBe(200);
    expect(await subjectOf()).toBe('Draft {{ name }}');
  });

  it('needs its template', async () => {
    const path = { notificationId, channel: 'EMAIL', templateId: 'none' };
    const { json } = await call(saveDraft, { key: account.secret.key, path, body });
    expect(json.error.code).toBe('RESOURCE_NOT_FOUND');
  });
});
