import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { pathSegmentOf } from '../client/src/path-segment.ts';
import type { Api } from '../scripts/frame/api.ts';
import { CommandError } from '../scripts/frame/command.ts';
import { mailboxOf } from '../shared/domain/users/mailbox.ts';
import { mapAtMost } from '../shared/runtime/async/map-at-most.ts';
import { findJson } from '../shared/runtime/values/find-json.ts';
import type { Contact } from './contact.ts';
import type { ImportedTemplate } from './email-templates.ts';
import type { Summary } from './report.ts';

const USERS_AT_ONCE = 8;
const TRIES_MAX = 8;
const PAUSE_MS = 500;

/** Writes the contacts of a batch: up to 100 users per request, then their choices, suppressions and the topic. Safe to repeat. */
export async function writeContacts(
  api: Api,
  contacts: readonly Contact[],
  topic: string | undefined,
  summary: Summary,
): Promise<void> {
  const users = [...Map.groupBy(contacts, ({ userId }) => userId)];
  const body = { users: users.map(([id, own]) => ({ id, ...userBody(own) })) };
  const { results } = v.parse(Results, (await insist(api, 'POST', '/users', body)).body);
  const saved = users.filter(([, own], index) => {
    const rejected = results[index]?.error;
    for (const { line } of rejected ? own : []) summary.reject(line, rejected?.message ?? '');
    return !rejected;
  });
  await mapAtMost(USERS_AT_ONCE, saved, ([userId, own]) => writeChoices(api, userId, own, summary));
  const userIds = saved.map(([userId]) => userId);
  if (topic !== undefined && userIds.length > 0)
    await insist(api, 'PUT', `/topics/${pathSegmentOf(topic)}/users`, { userIds });
}

/** Opt-outs and suppressions apply to the address that the user has now. */
async function writeChoices(
  api: Api,
  userId: string,
  contacts: readonly Contact[],
  summary: Summary,
): Promise<void> {
  const path = pathSegmentOf(userId);
  const consents = `/users/${path}/consents`;
  const { suppression, optOut } = contacts.findLast(({ email }) => email !== undefined) ?? {};
  if (optOut) {
    const consent = { purpose: 'marketing', channel: 'EMAIL', state: 'withdrawn', source: optOut };
    await insist(api, 'POST', consents, consent);
  }
  for (const { line, preferences = [] } of contacts) {
    const write = (list: typeof preferences) => insist(api, 'POST', `/users/${path}/preferences`, list);
    const isWhole = preferences.length === 0 || (await write(preferences)).rejection === undefined;
    const rejections: string[] = [];
    for (const preference of preferences) {
      const { delivery, channel, ...type } = preference;
      // One that is wrong costs none of the others.
      const { rejection } = isWhole ? {} : await write([preference]);
      if (rejection !== undefined) rejections.push(`${type.notificationId}: ${rejection}`);
      else if (delivery === 'off' && channel === 'EMAIL')
        await insist(api, 'POST', consents, { ...type, channel, state: 'withdrawn', source: 'import' });
    }
    if (rejections.length > 0) summary.reject(line, rejections.join(' '));
  }
  if (suppression) await insist(api, 'PUT', `/user_suppression/${path}/channel/EMAIL`, suppression);
}

/** Suppresses the addresses of a batch, without users. Safe to repeat. */
export async function writeSuppressions(
  api: Api,
  contacts: readonly Contact[],
  summary: Summary,
): Promise<void> {
  // Of several lines with an address, the first states the reason.
  const byAddress = Map.groupBy(contacts, ({ email = '' }) => mailboxOf(email));
  const first = [...byAddress.values()].flatMap(([each]) => each ?? []);
  await mapAtMost(USERS_AT_ONCE, first, async ({ line, email = '', suppression }) => {
    const path = `/suppressions/EMAIL/${pathSegmentOf(email)}`;
    const { rejection } = await insist(api, 'PUT', path, { reason: suppression?.reason });
    if (rejection !== undefined) summary.reject(line, rejection);
  });
}

/** The user's contact data; of several addresses of a kind, the last in the file. */
function userBody(contacts: readonly Contact[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { email, number, timezone, locale, attributes } of contacts) {
    for (const [name, value] of Object.entries({ email, number, timezone, locale })) {
      if (value !== undefined) body[name] = value;
    }
    if (attributes) body.attributes = { ...Object(body.attributes), ...attributes };
  }
  for (const list of ['pushTokens', 'webPushTokens'] as const) {
    const all = contacts.flatMap((contact): unknown[] => contact[list] ?? []);
    if (all.length > 0) body[list] = all;
  }
  return body;
}

const Results = v.object({
  results: v.array(v.looseObject({ error: v.optional(v.looseObject({ message: v.string() })) })),
});
const Rejected = v.object({ error: v.object({ message: v.string() }) });

/** Calls until the service accepts or rejects: returns the response, or why it rejects. Throws if it is out of order for long. */
async function insist(
  api: Api,
  method: string,
  path: string,
  body: unknown,
): Promise<{ body?: unknown; rejection?: string }> {
  for (let attempt = 1; ; attempt += 1) {
    const { status, body: answer } = await api.ask(method, path, body);
    if (status < 300) return { body: answer };
    const rejected = v.safeParse(Rejected, answer);
    const message = rejected.success ? rejected.output.error.message : `status ${status}`;
    if (status === 401) throw new CommandError(message);
    if (status < 500 && status !== 429) return { rejection: message };
    if (attempt === TRIES_MAX)
      throw new CommandError(`${message} Repeat the command: it continues where it stopped.`);
    await new Promise((resume) => setTimeout(resume, PAUSE_MS * 2 ** attempt));
  }
}

/** Creates the types and templates, or changes them if they differ. */
export async function writeTemplates(api: Api, templates: readonly ImportedTemplate[]): Promise<void> {
  for (const { notificationId, title, content } of templates) {
    const type = pathSegmentOf(notificationId);
    const { rejection: created } = await insist(api, 'POST', '/types', {
      notificationId,
      title,
      channels: ['EMAIL'],
    });
    const path = `/notifications/${type}/EMAIL/templates`;
    const stored = await api.ask('GET', `${path}/default`);
    const { rejection } =
      stored.status < 300
        ? await insist(api, 'PATCH', `${path}/default`, content)
        : await insist(api, 'POST', path, { templateId: 'default', ...content });
    if (rejection !== undefined) throw new CommandError(`${notificationId}: ${created ?? ''} ${rejection}`);
  }
}

const State = v.object({
  into: v.string(),
  sizeBytes: v.number(),
  changedAtMs: v.number(),
  done: v.number(),
});

/**
 * The progress of the import of a file, in a file next to it. `into` names the environment and the options: with others, the
 * import starts at the first line.
 */
export function openState(file: string, into: string, { isRestart }: { isRestart: boolean }) {
  const path = `${file}.import.json`;
  const { size: sizeBytes, mtimeMs: changedAtMs } = statSync(file);
  if (isRestart) rmSync(path, { force: true });
  const stored = existsSync(path) ? v.safeParse(State, findJson(readFileSync(path, 'utf8'))) : undefined;
  const state = stored?.success ? stored.output : undefined;
  const isSame = state?.into === into && state.sizeBytes === sizeBytes && state.changedAtMs === changedAtMs;
  return {
    done: isSame ? state.done : 0,
    save: (done: number) => {
      writeFileSync(`${path}.new`, JSON.stringify({ into, sizeBytes, changedAtMs, done }));
      renameSync(`${path}.new`, path);
    },
    remove: () => rmSync(path, { force: true }),
  };
}
