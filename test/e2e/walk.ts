import { expect } from 'vitest';
import type { LocalRun } from '../support/local-run.ts';
import type { Ask, createOpenapiCheck } from '../support/openapi-check.ts';
import { until } from '../support/until.ts';

/** The pages that a checkout of the payment provider returns to. */
export const URLS = { successUrl: 'https://shop.example.com/done', cancelUrl: 'https://shop.example.com/' };

type Answered = ReturnType<typeof JSON.parse>;

/** Calls of a local run by the ids of its operations, each response compared with docs/openapi.json. */
export type Walk = ReturnType<typeof walkOf>;

/** The calls of `run`, by its secret key unless another is given. */
export function walkOf(check: ReturnType<typeof createOpenapiCheck>, run: LocalRun) {
  const sandbox = async (path: string, body?: unknown): Promise<Answered> => {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${run.baseUrl}/_sandbox/${path}`, init)).json();
  };
  return {
    sandbox,
    /** Returns the response; throws unless it is a success. */
    async ok(id: string, ask: Ask = {}): Promise<Answered> {
      const response = await check.call(run.baseUrl, id, { key: run.secretKey, ...ask });
      if (response.status >= 300) throw new Error(`${id} returned ${response.status}: ${response.text}`);
      return response.json;
    },
    statusOf: async (id: string, ask: Ask) => (await check.call(run.baseUrl, id, ask)).status,
    async refused(id: string, ask: Ask, status: number, code: string): Promise<void> {
      const response = await check.call(run.baseUrl, id, { key: run.secretKey, ...ask });
      expect([id, response.status, response.json?.error?.code]).toEqual([id, status, code]);
    },
    /** Waits for a channel's provider to get the notification's message; returns that message. */
    async messageOf(trackingId: string, channel: string): Promise<Answered> {
      const read = async () =>
        (await sandbox(`messages?trackingId=${trackingId}&channel=${channel}`)).messages[0];
      await until(async () => (await read()) !== undefined, `a message on ${channel}`);
      return read();
    },
  };
}

const said = { text: 'Hello {{ name }}' };
const shown = { title: 'Hello {{ name }}' };
const CONTENTS: Record<string, object> = {
  EMAIL: { subject: 'Hello {{ name }}', html: "<p>Hello</p>{% component 'footer' %}" },
  INAPP_WEB: shown,
  SMS: said,
  CALL: said,
  PUSH: { ...shown, message: 'm' },
  WEB_PUSH: { ...shown, message: 'm' },
  CHAT: said,
};

/** The life of a type's templates of a channel; the first template stays, as the default. */
export async function walkTemplates(ok: Walk['ok'], notificationId: string, channel: string): Promise<void> {
  const path = { notificationId, channel };
  const content = CONTENTS[channel];
  await ok('createTemplate', { path, body: { templateId: 'first', ...content } });
  await ok('createTemplate', { path, body: { templateId: 'second', ...content } });
  await ok('selectDefaultTemplate', { path, body: { templateId: 'first', modes: ['instant'] } });
  const one = { ...path, templateId: 'first' };
  await ok('updateTemplate', { path: one, body: content });
  await ok('saveTemplateDraft', { path: one, body: content });
  await ok('getTemplateDraft', { path: one });
  await ok('publishTemplateDraft', { path: one });
  const { versions } = await ok('listTemplateVersions', { path: one });
  const past = { ...one, version: String(versions[0].version) };
  await ok('getTemplateVersion', { path: past });
  await ok('restoreTemplateVersion', { path: past });
  await ok('saveTemplateDraft', { path: one, body: content });
  await ok('deleteTemplateDraft', { path: one });
  expect(await ok('getTemplate', { path: one })).toMatchObject({ default: true, ...content });
  await ok('deleteTemplate', { path: { ...path, templateId: 'second' } });
  await ok('listTemplates', { path });
}
