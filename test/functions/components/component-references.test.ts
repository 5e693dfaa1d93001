import { describe, expect, it } from 'vitest';
import { components } from '../../../shared/database/entities/content/components.ts';
import { environmentPk } from '../../../shared/database/keys/key.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import type { TestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';
import { accountWithType, addType, removeType, templatesOf } from '../templates/setup.ts';
import { componentsOf, embedding } from './setup.ts';

const app = useApp();

/** An account with the type `comment` and these components, each with the ids it embeds. */
async function accountWith(embeddings: Record<string, string[]>): Promise<TestAccount> {
  const account = await accountWithType(app);
  for (const [componentId, ids] of Object.entries(embeddings)) {
    const made = await componentsOf(account).create({ componentId, name: 'x', html: embedding(...ids) });
    expect(made.status).toBe(200);
  }
  return account;
}

const referencedBy = async (account: TestAccount, componentId: string) =>
  (await componentsOf(account).get(componentId)).json.referencedBy;
const reference = (templateId: string, notificationId = 'comment') => ({
  notificationId,
  channel: 'EMAIL',
  templateId,
});

describe('referencedBy', () => {
  it('follows templates as they are created, changed and deleted', async () => {
    const account = await accountWith({ header: [], footer: [] });
    const templates = templatesOf(account);
    await templates.create({ templateId: 'a', html: embedding('footer', 'footer') });
    await templates.create({ templateId: 'b', html: embedding('footer', 'header') });
    expect(await referencedBy(account, 'footer')).toEqual([reference('a'), reference('b')]);
    expect(await referencedBy(account, 'header')).toEqual([reference('b')]);
    await templates.patch('a', { html: embedding('header') });
    await templates.patch('b', { subject: 'unrelated' });
    expect(await referencedBy(account, 'footer')).toEqual([reference('b')]);
    expect(await referencedBy(account, 'header')).toEqual([reference('a'), reference('b')]);
    await templates.patch('a', { html: null });
    await templates.remove('b');
    expect(await referencedBy(account, 'footer')).toEqual([]);
    expect(await referencedBy(account, 'header')).toEqual([]);
  });

  it('lists templates of every type by their IDs, and drops those of a deleted type', async () => {
    const account = await accountWith({ '#foot%er ☂': [] });
    await addType(account, 'other #☂');
    const html = embedding('#foot%er ☂');
    await templatesOf(account).create({ templateId: 'a', html });
    await templatesOf(account, 'other #☂').create({ templateId: 'a', html });
    expect(await referencedBy(account, '#foot%er ☂')).toEqual([reference('a'), reference('a', 'other #☂')]);
    await removeType(account);
    expect(await referencedBy(account, '#foot%er ☂')).toEqual([reference('a', 'other #☂')]);
  });

  it('lists templates that embed the component through other components', async () => {
    const account = await accountWith({ logo: [], footer: ['logo'], page: ['footer'] });
    await templatesOf(account).create({ templateId: 'a', html: embedding('page') });
    await templatesOf(account).create({ templateId: 'b', html: embedding('logo', 'footer') });
    expect(await referencedBy(account, 'page')).toEqual([reference('a')]);
    expect(await referencedBy(account, 'logo')).toEqual([reference('a'), reference('b')]);
    const { json } = await componentsOf(account).list();
    expect(json.components.map((each: { referencedBy: object[] }) => each.referencedBy.length)).toEqual([
      2, 2, 1,
    ]);
    await componentsOf(account).patch('page', { html: 'nothing' });
    expect(await referencedBy(account, 'logo')).toEqual([reference('b')]);
  });

  it('lists every template saved concurrently', async () => {
    const account = await accountWith({ footer: [] });
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(
      ids.map(async (notificationId) => {
        await addType(account, notificationId);
        return templatesOf(account, notificationId).create({ templateId: 't', html: embedding('footer') });
      }),
    );
    expect(await referencedBy(account, 'footer')).toEqual(ids.map((id) => reference('t', id)));
    await Promise.all(ids.slice(0, 3).map((id) => templatesOf(account, id).patch('t', { html: 'x' })));
    expect(await referencedBy(account, 'footer')).toEqual(ids.slice(3).map((id) => reference('t', id)));
  });

  it('leaves no reference behind when a type with many references is deleted', async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `c${index}`);
    const account = await accountWith(Object.fromEntries(ids.map((id) => [id, []])));
    for (let index = 0; index < 15; index += 1) {
      const made = await templatesOf(account).create({ templateId: `t${index}`, html: embedding(...ids) });
      expect(made.status).toBe(200);
    }
    expect(await referencedBy(account, 'c9')).toHaveLength(15);
    await removeType(account);
    const left = await app.database.queryAll(environmentPk(account.environment.environmentId), 'REFERENCE#', {
      consistent: true,
    });
    expect(left).toEqual([]);
  });
});

describe('an embedded component', () => {
  it('must exist when the template or component is saved', async () => {
    const account = await accountWith({ footer: [] });
    const templates = templatesOf(account);
    await templates.create({ templateId: 'a', html: 'x' });
    for (const { status, json } of [
      await templates.create({ templateId: 'b', html: embedding('footer', 'unknown') }),
      await templates.patch('a', { html: embedding('unknown') }),
      await componentsOf(account).create({ componentId: 'page', name: 'x', html: embedding('unknown') }),
      await componentsOf(account).patch('footer', { html: embedding('unknown') }),
    ]) {
      expect([status, json.error.code]).toEqual([400, 'INVALID_TEMPLATE']);
      expect(json.error.message).toBe('html: the component "unknown" does not exist.');
    }
    expect(await referencedBy(account, 'footer')).toEqual([]);
    expect((await templates.get('b')).json.error.code).toBe('RESOURCE_NOT_FOUND');
  });

  it('cannot belong to another account', async () => {
    const [owner, stranger] = [await accountWith({ footer: [] }), await accountWith({})];
    const { json } = await templatesOf(stranger).create({ templateId: 'a', html: embedding('footer') });
    expect(json.error.code).toBe('INVALID_TEMPLATE');
    expect(await referencedBy(owner, 'footer')).toEqual([]);
  });

  it('can be one of at most 20 in a template', async () => {
    const ids = Array.from({ length: 21 }, (_, index) => `c${index}`);
    const account = await accountWith(Object.fromEntries(ids.map((id) => [id, []])));
    const templates = templatesOf(account);
    const { json } = await templates.create({ templateId: 'a', html: embedding(...ids) });
    expect([json.error.code, json.error.message]).toEqual([
      'INVALID_TEMPLATE',
      'html: more than 20 components are embedded.',
    ]);
    expect((await templates.create({ templateId: 'a', html: embedding(...ids.slice(1)) })).status).toBe(200);
    expect((await templates.patch('a', { html: 'x' })).status).toBe(200);
  });

  it('cannot be deleted; the response states how many templates embed it', async () => {
    const account = await accountWith({ footer: [], page: ['footer'] });
    await templatesOf(account).create({ templateId: 'a', html: embedding('footer') });
    await templatesOf(account).create({ templateId: 'b', html: embedding('footer') });
    const { status, json } = await componentsOf(account).remove('footer');
    expect([status, json.error.code]).toEqual([400, 'RESOURCE_IN_USE']);
    expect(json.error.message).toBe('The component is embedded by 2 templates and 1 other components.');
    await templatesOf(account).remove('a');
    await removeType(account);
    expect((await componentsOf(account).remove('footer')).json.error.code).toBe('RESOURCE_IN_USE');
    expect((await componentsOf(account).remove('page')).status).toBe(200);
    expect((await componentsOf(account).remove('footer')).status).toBe(200);
  });

  it('never goes missing from a template saved during its deletion', async () => {
    for (let round = 0; round < 8; round += 1) {
      const account = await accountWith({ footer: [] });
      const [saved, removed] = await Promise.all([
        templatesOf(account).create({ templateId: 'a', html: embedding('footer') }),
        componentsOf(account).remove('footer'),
      ]);
      const outcomes = [saved.json.error?.code, removed.json.error?.code];
      expect([
        [undefined, 'RESOURCE_IN_USE'],
        ['INVALID_TEMPLATE', undefined],
      ]).toContainEqual(outcomes);
    }
  });
});

describe('components that embed one another', () => {
  it('can be nested three deep and no deeper, from either end', async () => {
    const account = await accountWith({ c: [], b: ['c'], a: ['b'], d: [] });
    for (const [id, html] of [
      ['d', embedding('a')],
      ['c', embedding('d')],
    ] as const) {
      const { status, json } = await componentsOf(account).patch(id, { html });
      expect([status, json.error.code]).toEqual([400, 'INVALID_TEMPLATE']);
      expect(json.error.message).toContain('more than 3 deep');
    }
    expect((await componentsOf(account).patch('d', { html: embedding('b') })).status).toBe(200);
  });

  it('never embed themselves, directly or indirectly', async () => {
    const account = await accountWith({ b: [], a: ['b'] });
    for (const { status, json } of [
      await componentsOf(account).patch('a', { html: embedding('a') }),
      await componentsOf(account).patch('b', { html: embedding('a') }),
      await componentsOf(account).create({ componentId: 'x', name: 'x', html: embedding('x') }),
    ]) {
      expect([status, json.error.code]).toEqual([400, 'INVALID_TEMPLATE']);
      expect(json.error.message).toContain('embed itself');
    }
    await componentsOf(account).patch('a', { html: '' });
    expect((await componentsOf(account).patch('b', { html: embedding('a') })).status).toBe(200);
  });

  it('form no cycle when two concurrent changes embed each other', async () => {
    for (let round = 0; round < 8; round += 1) {
      const account = await accountWith({ a: [], b: [] });
      const responses = await Promise.all([
        componentsOf(account).patch('a', { html: embedding('b') }),
        componentsOf(account).patch('b', { html: embedding('a') }),
      ]);
      expect(responses.map((response) => response.json.error?.code).sort()).toEqual([
        'INVALID_TEMPLATE',
        undefined,
      ]);
    }
  });

  it('never go missing when one is embedded during its deletion', async () => {
    for (let round = 0; round < 8; round += 1) {
      const account = await accountWith({ a: [], b: [] });
      const [saved, removed] = await Promise.all([
        componentsOf(account).patch('a', { html: embedding('b') }),
        componentsOf(account).remove('b'),
      ]);
      expect([
        [undefined, 'RESOURCE_IN_USE'],
        ['INVALID_TEMPLATE', undefined],
      ]).toContainEqual([saved.json.error?.code, removed.json.error?.code]);
    }
  });

  it('load together for rendering, at their newest version', async () => {
    const account = await accountWith({ logo: [], footer: ['logo'], page: ['footer'], other: [] });
    await componentsOf(account).patch('logo', { html: 'new ☂' });
    const load = (ids: string[]) => resolve(components).loadHtml(account.environment.environmentId, ids);
    expect(await load(['page', 'page', 'unknown'])).toEqual({
      page: embedding('footer'),
      footer: embedding('logo'),
      logo: 'new ☂',
    });
    expect(await load([])).toEqual({});
  });
});
